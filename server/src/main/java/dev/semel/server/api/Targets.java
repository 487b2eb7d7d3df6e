// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.api;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** A route's targets, used in turn. One that refused a connection is left out for a while, unless all have. */
final class Targets {
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private final List<URI> all;
    private final AtomicInteger next = new AtomicInteger();

    /** For each target until when it is left out, in {@link System#nanoTime}; 0 if it is not. */
    private final AtomicLongArray leftOutUntil;

    Targets(List<URI> all) {
        this.all = List.copyOf(all);
        this.leftOutUntil = new AtomicLongArray(all.size());
    }

    /** All of them, in the order in which to try them now. */
    List<Integer> inTurn() {
        int count = all.size();
        if (count == 1) {
            return List.of(0);
        }
        int first = Math.floorMod(next.getAndIncrement(), count);
        List<Integer> well = new ArrayList<>(count);
        List<Integer> unwell = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int target = (first + i) % count;
            (isLeftOut(target) ? unwell : well).add(target);
        }
        well.addAll(unwell);
        return well;
    }

    URI url(int target) {
        return all.get(target);
    }

    void refused(int target) {
        leftOutUntil.set(target, Math.max(1, System.nanoTime() + PAUSE_NANOS));
    }

    void reached(int target) {
        if (leftOutUntil.get(target) != 0) {
            leftOutUntil.set(target, 0);
        }
    }

    private boolean isLeftOut(int target) {
        long until = leftOutUntil.get(target);
        return until != 0 && System.nanoTime() - until < 0;
    }
}
