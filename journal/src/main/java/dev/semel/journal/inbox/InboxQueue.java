// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Limits the events that wait for the database, so that memory does not grow while the database is unavailable. */
final class InboxQueue {
    private static final int MAX_EVENTS = 20_000;
    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private final AtomicInteger events = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Returns a copy of the answer. If a caller completes the copy early, the event still counts until its write ends. */
    <T> CompletableFuture<T> admit(InboxRow row, Supplier<CompletableFuture<T>> submit) {
        int waiting = events.incrementAndGet();
        long size = bytes.addAndGet(row.size());
        if (waiting > MAX_EVENTS || size > MAX_BYTES) {
            leave(row);
            return CompletableFuture.failedFuture(
                    new StoreException(Kind.BUSY, "Too many inbox events already wait for the database"));
        }
        CompletableFuture<T> submitted;
        try {
            submitted = submit.get();
        } catch (RuntimeException | Error e) {
            leave(row);
            throw e;
        }
        return submitted.whenComplete((answer, failure) -> leave(row)).copy();
    }

    private void leave(InboxRow row) {
        events.decrementAndGet();
        bytes.addAndGet(-row.size());
    }
}
