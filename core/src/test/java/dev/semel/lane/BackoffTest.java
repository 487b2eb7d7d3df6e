// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @RepeatedTest(100)
    void jitterIsAtMostHalf() {
        assertThat(Backoff.jittered(1_000)).isBetween(500L, 1_000L);
    }

    @RepeatedTest(100)
    void theLimitDoublesUpToTheEighthAttempt() {
        assertThat(Backoff.afterAttempt(1, 1_000)).isBetween(1_000L, 3_999L);
        assertThat(Backoff.afterAttempt(2, 1_000)).isBetween(1_000L, 7_999L);
        assertThat(Backoff.afterAttempt(8, 1_000)).isBetween(1_000L, 511_999L);
        assertThat(Backoff.afterAttempt(1_000, 1_000)).isBetween(1_000L, 511_999L);
    }

    @Test
    void noPauseStaysNone() {
        assertThat(Backoff.jittered(0)).isZero();
    }
}
