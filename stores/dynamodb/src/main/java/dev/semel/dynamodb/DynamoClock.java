// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of DynamoDB's servers. DynamoDB has no clock in its conditions, but every answer has a {@code Date}, in whole
 * seconds. A request that was sent at t0 and answered at t1 with the date D shows that the servers are ahead of this process's
 * monotonic clock by at least D - t1 and at most D + 1 s - t0. The intersection of the last answers is narrow after a second or
 * two. The process's own wall clock is never read.
 *
 * <p>An answer that contradicts the others is ignored. If several in a row contradict them and agree with each other, the
 * servers' clock has been set, or this process was suspended: they replace the others.
 */
final class DynamoClock {
    static final long SECOND = 1_000_000;

    /** How far two clocks may drift apart, as a fraction of the time: 200 parts in a million. */
    private static final long DRIFT = 5_000;

    private static final int SLOTS = 32;

    /** The answers of this time share a slot, so that the slots reach back some seconds under load. */
    private static final long SLOT_MICROS = 250_000;

    /** How many contradicting answers in a row replace the earlier ones. */
    static final int AGREEING = 4;

    /** One answer alone may be wrong. */
    private static final int NEEDED = 2;

    private final LongSupplier nanoTime;
    private final long origin;
    private final Deque<Slot> slots = new ArrayDeque<>();
    private @Nullable Span suspicion;
    private int suspects;

    /** Whether the last answer contradicted the others. */
    private boolean contradicted;

    private int answers;
    private long latest = Long.MIN_VALUE;

    /** @param nanoTime a monotonic clock, such as {@link System#nanoTime} */
    DynamoClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.origin = nanoTime.getAsLong();
    }

    /** The process's monotonic clock in microseconds, from an arbitrary origin. */
    long ticks() {
        return TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - origin);
    }

    /**
     * Learns from an answer.
     *
     * @param sent the {@link #ticks} when the request was sent, or earlier
     * @param answered the {@link #ticks} when the answer had arrived, or later
     * @param date the answer's date, in microseconds since 1970
     */
    synchronized void observe(long sent, long answered, long date) {
        // Ticks are rounded down, so the answer may have arrived a microsecond later.
        Span sample = new Span(date - answered - 1, date + SECOND - sent, answered);
        Span known = known(answered);
        boolean agrees = known == null || known.meets(sample);
        Span suspected = suspicion;
        boolean suspicious = suspected != null && suspected.meets(sample);
        contradicted = !agrees;
        if (agrees) {
            add(sample);
            answers = Math.min(answers + 1, NEEDED);
            if (!suspicious) {
                forgetSuspicion();
            }
            return;
        }
        suspicion = suspected != null && suspicious ? suspected.and(sample) : sample;
        suspects = suspicious ? suspects + 1 : 1;
        if (suspects >= AGREEING) {
            slots.clear();
            add(suspicion);
            answers = NEEDED;
            forgetSuspicion();
            latest = Long.MIN_VALUE;
        }
    }

    private void forgetSuspicion() {
        suspicion = null;
        suspects = 0;
    }

    private void add(Span sample) {
        Slot last = slots.peekLast();
        if (last != null && sample.at - last.since < SLOT_MICROS) {
            slots.removeLast();
            slots.addLast(new Slot(last.since, last.span.and(sample)));
            return;
        }
        slots.addLast(new Slot(sample.at, sample));
        if (slots.size() > SLOTS) {
            slots.removeFirst();
        }
    }

    private @Nullable Span known(long now) {
        Span known = null;
        for (Slot slot : slots) {
            Span span = slot.span.seenAt(now);
            known = known == null ? span : known.and(span);
        }
        return known;
    }

    /** The time now; null while it is unknown. The later bound never goes back, except with the servers' clock. */
    synchronized @Nullable ClockReading now() {
        long now = ticks();
        Span known = known(now);
        if (known == null || answers < NEEDED || known.upper - known.lower > ClockReading.MAX_WIDTH) {
            return null;
        }
        latest = Math.max(latest, now + known.upper);
        return new ClockReading(now + known.lower, latest);
    }

    /**
     * The latest time that it can be now, even if the last answer is right although it contradicts the others: this process may
     * have been suspended, and the clock has not learned it yet. {@link Long#MIN_VALUE} while nothing is known.
     */
    synchronized long latestOfAll() {
        ClockReading now = now();
        long known = now == null ? Long.MIN_VALUE : now.latest();
        Span suspected = contradicted ? suspicion : null;
        long ticks = ticks();
        return suspected == null ? known : Math.max(known, ticks + suspected.seenAt(ticks).upper);
    }

    /**
     * Whether the last answer shows a time that is later by more than servers' clocks differ. Either its date is wrong, or this
     * process was suspended and {@link #now} is in the past. More answers decide.
     */
    synchronized boolean mayBeBehind() {
        ClockReading now = now();
        return now != null && latestOfAll() > now.latest() + ClockReading.MARGIN;
    }

    /** The answers since this moment. */
    private record Slot(long since, Span span) {}

    /** By how much the servers are ahead of this process, at this moment of the process. */
    private record Span(long lower, long upper, long at) {
        /** The bounds of then, seen at a later moment. */
        Span seenAt(long moment) {
            long drift = moment <= at ? 0 : (moment - at) / DRIFT + 1;
            return drift == 0 ? this : new Span(lower - drift, upper + drift, moment);
        }

        boolean meets(Span other) {
            Span both = and(other);
            return both.lower <= both.upper;
        }

        Span and(Span other) {
            long moment = Math.max(at, other.at);
            Span one = seenAt(moment);
            Span two = other.seenAt(moment);
            return new Span(Math.max(one.lower, two.lower), Math.min(one.upper, two.upper), moment);
        }
    }
}
