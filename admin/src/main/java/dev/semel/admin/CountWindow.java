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
        slot(now).count(kind);
    }

    /** Counts work that ended and how long it took. */
    synchronized void add(long now, Kind kind, long took) {
        Slot slot = slot(now);
        slot.count(kind);
        slot.times().add(took);
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
                slot.addTo(sums, times);
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

        /** Many scopes only have duplicates, which take no time. */
        private @Nullable RunTimes times;

        Slot(long number) {
            this.number = number;
        }

        void count(Kind kind) {
            long[] count = counts.get(kind);
            if (count == null) {
                count = new long[1];
                counts.put(kind, count);
            }
            count[0]++;
        }

        RunTimes times() {
            if (times == null) {
                times = new RunTimes();
            }
            return times;
        }

        void addTo(Map<Kind, Long> sums, RunTimes sum) {
            counts.forEach((kind, count) -> sums.merge(kind, count[0], Long::sum));
            if (times != null) {
                sum.add(times);
            }
        }
    }
}
