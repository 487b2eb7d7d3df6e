// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A sliding window of counts and run times: a ring of slots, of which each counts a part of the window. */
final class CountWindow {
    /** How many parts a window has. */
    static final int SLOTS = 60;

    private final long nanosPerSlot;
    private final @Nullable Slot[] slots = new Slot[SLOTS];

    CountWindow(Duration window) {
        nanosPerSlot = Math.max(1, window.toNanos() / SLOTS);
    }

    synchronized void add(long now, Kind kind) {
        slot(now).counts.computeIfAbsent(kind, first -> new long[1])[0]++;
    }

    synchronized void took(long now, long nanos) {
        slot(now).times.add(nanos);
    }

    /** The slot of this time, emptied if it belonged to an earlier one. */
    private Slot slot(long now) {
        long number = Math.floorDiv(now, nanosPerSlot);
        int place = (int) Math.floorMod(number, (long) SLOTS);
        Slot slot = slots[place];
        if (slot == null || slot.number != number) {
            slot = new Slot(number);
            slots[place] = slot;
        }
        return slot;
    }

    /** Adds the counts and run times of the window that ends now. */
    synchronized void addTo(long now, Map<Kind, Long> sums, RunTimes times) {
        long newest = Math.floorDiv(now, nanosPerSlot);
        for (Slot slot : slots) {
            if (slot != null && slot.number > newest - SLOTS && slot.number <= newest) {
                slot.counts.forEach((kind, count) -> sums.merge(kind, count[0], Long::sum));
                times.add(slot.times);
            }
        }
    }

    /** Returns whether nothing was counted in the window that ends now. */
    synchronized boolean isEmpty(long now) {
        Map<Kind, Long> sums = new EnumMap<>(Kind.class);
        addTo(now, sums, new RunTimes());
        return sums.isEmpty();
    }

    private static final class Slot {
        private final long number;
        private final Map<Kind, long[]> counts = new EnumMap<>(Kind.class);
        private final RunTimes times = new RunTimes();

        Slot(long number) {
            this.number = number;
        }
    }
}
