// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

/**
 * The time of DynamoDB's servers, as far as it is known: not before {@code earliest} and not after {@code latest}, in
 * microseconds since 1970.
 */
record ClockReading(long earliest, long latest) {
    /** The clocks of DynamoDB's servers differ by less than this. */
    static final long MARGIN = 2_000_000;

    /** The greatest distance of the two bounds. A wider interval counts as unknown. */
    static final long MAX_WIDTH = 2_000_000;

    /** What is shown as left if it is uncertain whether something is over. */
    private static final long UNCERTAIN = 1_000_000;

    /** What ends at this moment or before it is over, for every process. */
    long over() {
        return earliest - MARGIN;
    }

    boolean isOver(long until) {
        return until <= over();
    }

    /** A moment that is already over for every other process, whatever it knows of the time. */
    long past() {
        return over() - MAX_WIDTH;
    }

    /**
     * The time left until this moment, in microseconds. Zero only if it is over. What an owner may rely on is shown; in between
     * at most a second.
     */
    long left(long until) {
        if (isOver(until)) {
            return 0;
        }
        return Math.max(until - latest, Math.min(UNCERTAIN, until - over()));
    }

    /**
     * As {@link #left}, but as good as nothing while it is uncertain whether it is over: a cache must not keep what another process may
     * replace already.
     */
    long leftForCaches(long until) {
        return isOver(until) ? 0 : Math.max(until - latest, 1);
    }
}
