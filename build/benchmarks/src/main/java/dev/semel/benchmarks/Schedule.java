// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.time.Duration;

/** When each call of an open-loop round starts: at a fixed rate that is decided before the round. */
record Schedule(double perSecond, Duration length) {
    private static final double NANOS = 1e9;

    Schedule {
        if (!(perSecond > 0) || length.isNegative() || length.isZero()) {
            throw new IllegalArgumentException(
                    "A schedule needs a rate and a length above zero, but has %s a second for %s"
                            .formatted(perSecond, length));
        }
    }

    /** The number of calls: at least one. */
    int calls() {
        return (int) Math.max(1, Math.round(perSecond * length.toNanos() / NANOS));
    }

    /** The time from the start of the round to the start of a call. */
    long startNanos(int call) {
        return Math.round(call * NANOS / perSecond);
    }
}
