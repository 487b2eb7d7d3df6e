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
    CompletableFuture<InboxClaims.Answer> admit(InboxRow row, Supplier<CompletableFuture<InboxClaims.Answer>> submit) {
        int waiting = events.incrementAndGet();
        long size = bytes.addAndGet(row.size());
        if (waiting > MAX_EVENTS || size > MAX_BYTES) {
            leave(row);
            return CompletableFuture.completedFuture(new InboxClaims.Answer.Failed(
                    new StoreException(Kind.BUSY, "Too many inbox events already wait for the database")));
        }
        CompletableFuture<InboxClaims.Answer> submitted;
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
