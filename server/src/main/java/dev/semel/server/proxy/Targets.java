// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A route's targets in round-robin order. A target that refused a connection is skipped for a while, unless all targets
 * did.
 */
final class Targets {
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private final List<URI> all;
    private final AtomicInteger next = new AtomicInteger();

    /** For each target the {@link System#nanoTime} until which it is skipped; 0 if it is not. */
    private final AtomicLongArray skippedUntil;

    Targets(List<URI> all) {
        this.all = List.copyOf(all);
        this.skippedUntil = new AtomicLongArray(all.size());
    }

    /** Returns all targets in the order in which to try them now. */
    List<Integer> inTryOrder() {
        int count = all.size();
        if (count == 1) {
            return List.of(0);
        }
        int first = Math.floorMod(next.getAndIncrement(), count);
        List<Integer> well = new ArrayList<>(count);
        List<Integer> unwell = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int target = (first + i) % count;
            (isSkipped(target) ? unwell : well).add(target);
        }
        well.addAll(unwell);
        return well;
    }

    URI url(int target) {
        return all.get(target);
    }

    void refused(int target) {
        skippedUntil.set(target, Math.max(1, System.nanoTime() + PAUSE_NANOS));
    }

    void reached(int target) {
        if (skippedUntil.get(target) != 0) {
            skippedUntil.set(target, 0);
        }
    }

    private boolean isSkipped(int target) {
        long until = skippedUntil.get(target);
        return until != 0 && System.nanoTime() - until < 0;
    }
}
