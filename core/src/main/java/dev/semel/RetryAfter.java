// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;

/** When a caller should retry while another one is running the work. */
final class RetryAfter {
    /** Most work is done long before its lease ends. */
    static final Duration LONGEST = Duration.ofSeconds(5);

    /** A lease that is about to end must not make callers retry without a pause. */
    static final Duration SHORTEST = Duration.ofMillis(50);

    private RetryAfter() {}

    static Duration of(Duration leaseLeft) {
        if (leaseLeft.compareTo(LONGEST) > 0) {
            return LONGEST;
        }
        return leaseLeft.compareTo(SHORTEST) < 0 ? SHORTEST : leaseLeft;
    }
}
