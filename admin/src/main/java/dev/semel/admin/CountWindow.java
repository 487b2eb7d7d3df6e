// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A sliding window of counts and run times: a ring of slots, of which each counts a part of the window. Counting takes no lock,
 * except when a new slot begins.
 */
final class CountWindow {
    /** How many parts a window has. */
    static final int SLOTS = 60;

    private final long nanosPerSlot;
    private final AtomicReferenceArray<Slot> slots = new AtomicReferenceArray<>(SLOTS);

    CountWindow(Duration window) {
        nanosPerSlot = Math.max(1, window.toNanos() / SLOTS);
    }

    void add(long now, Kind kind) {
        slot(now).count(kind);
    }

    /** Counts work that ended and how long it took. */
    void add(long now, Kind kind, long took) {
        Slot slot = slot(now);
        slot.count(kind);
        slot.took(took);
    }

    /** The slot of this time, emptied if it belonged to an earlier one. */
    private Slot slot(long now) {
        long number = Math.floorDiv(now, nanosPerSlot);
        int place = (int) Math.floorMod(number, (long) SLOTS);
        Slot slot = slots.get(place);
        return slot != null && slot.number == number ? slot : begun(number, place);
    }

    private synchronized Slot begun(long number, int place) {
        Slot slot = slots.get(place);
        if (slot == null || slot.number != number) {
            slot = new Slot(number);
            slots.set(place, slot);
        }
        return slot;
    }

    /** Adds the counts and run times of the window that ends now. */
    void addTo(long now, Map<Kind, Long> sums, RunTimes times) {
        long newest = Math.floorDiv(now, nanosPerSlot);
        for (int place = 0; place < SLOTS; place++) {
            Slot slot = slots.get(place);
            if (slot != null && slot.number > newest - SLOTS && slot.number <= newest) {
                slot.addTo(sums, times);
            }
        }
    }

    /** Returns whether nothing was counted in the window that ends now. */
    boolean isEmpty(long now) {
        Map<Kind, Long> sums = new EnumMap<>(Kind.class);
        addTo(now, sums, new RunTimes());
        return sums.isEmpty();
    }

    private static final class Slot {
        private final long number;
        private final Map<Kind, AtomicLong> counts = new ConcurrentHashMap<>();
        private final RunTimes times = new RunTimes();

        Slot(long number) {
            this.number = number;
        }

        void count(Kind kind) {
            AtomicLong known = counts.get(kind);
            (known == null ? counts.computeIfAbsent(kind, first -> new AtomicLong()) : known).incrementAndGet();
        }

        void took(long nanos) {
            synchronized (times) {
                times.add(nanos);
            }
        }

        void addTo(Map<Kind, Long> sums, RunTimes sum) {
            counts.forEach((kind, count) -> sums.merge(kind, count.get(), Long::sum));
            synchronized (times) {
                sum.add(times);
            }
        }
    }
}
