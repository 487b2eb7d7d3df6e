// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The only thread: runs one event after the other on a virtual clock. Events of a stopped process wait until it goes on, and events
 * of a process that crashed never happen. It is also the clock of the store.
 */
final class Scheduler implements InstantSource {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private long now;
    private long sequence;

    /** Nanoseconds since the beginning. */
    long now() {
        return now;
    }

    @Override
    public Instant instant() {
        return START.plusNanos(now);
    }

    /**
     * Lets something happen after a delay.
     *
     * @param owner the process that does it; null if no crash prevents it
     */
    Event after(long nanos, @Nullable SimulatedProcess owner, Runnable action) {
        Event event = new Event(now + Math.max(0, nanos), sequence++, owner, action);
        queue.add(event);
        if (owner != null) {
            owner.pending++;
        }
        return event;
    }

    /** Runs the next event. False if there is none. */
    boolean step() {
        Event event = queue.poll();
        if (event == null) {
            return false;
        }
        SimulatedProcess owner = event.owner;
        if (event.cancelled || (owner != null && owner.isDead())) {
            return true;
        }
        if (owner != null && owner.suspended() > event.suspended) {
            event.time += owner.suspended() - event.suspended;
            event.suspended = owner.suspended();
            queue.add(event);
            return true;
        }
        if (owner != null && owner.pausedUntil() > event.time) {
            event.time = owner.pausedUntil();
            queue.add(event);
            return true;
        }
        now = Math.max(now, event.time);
        event.done = true;
        if (owner != null) {
            owner.pending--;
        }
        event.action.run();
        return true;
    }

    /** Runs all events up to this moment. */
    void runUntil(long moment) {
        Event next = queue.peek();
        while (next != null && next.time <= moment) {
            step();
            next = queue.peek();
        }
        now = Math.max(now, moment);
    }

    /** Something that will happen. */
    static final class Event implements Comparable<Event> {
        private long time;
        private final long number;
        private final @Nullable SimulatedProcess owner;
        private final Runnable action;
        /** How long the owner's host had been suspended when this time was set. */
        private long suspended;

        private boolean cancelled;
        private boolean done;

        private Event(long time, long number, @Nullable SimulatedProcess owner, Runnable action) {
            this.time = time;
            this.number = number;
            this.owner = owner;
            this.suspended = owner == null ? 0 : owner.suspended();
            this.action = action;
        }

        boolean isCancelled() {
            return cancelled;
        }

        boolean isDone() {
            return done;
        }

        /** When it happens. */
        long time() {
            return time;
        }

        /** Prevents it. False if it has happened. */
        boolean cancel() {
            if (done || cancelled) {
                return false;
            }
            cancelled = true;
            if (owner != null) {
                owner.pending--;
            }
            return true;
        }

        @Override
        public int compareTo(Event other) {
            return time == other.time ? Long.compare(number, other.number) : Long.compare(time, other.time);
        }
    }
}
