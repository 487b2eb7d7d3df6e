// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static dev.semel.redis.Breaker.Kind.READ;
import static dev.semel.redis.Breaker.Kind.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private double random = 1;
    private final Breaker breaker = new Breaker(
            RedisOptions.defaults().withBreaker(3, Duration.ofMillis(1), Duration.ofMillis(5)), () -> random);

    @Test
    void consecutiveFailuresOpenTheBreaker() {
        assertThat(breaker.failed(READ)).isFalse();
        assertThat(breaker.failed(READ)).isFalse();
        assertThat(breaker.failed(READ)).isTrue();
    }

    @Test
    void aSuccessResetsTheCounter() {
        breaker.failed(READ);
        breaker.failed(READ);
        breaker.succeeded(READ);

        assertThat(breaker.failed(READ)).isFalse();
        assertThat(breaker.failed(READ)).isFalse();
        assertThat(breaker.failed(READ)).isTrue();
    }

    @Test
    void readsThatSucceedDoNotHideWritesThatFail() {
        breaker.failed(WRITE);
        breaker.succeeded(READ);
        breaker.failed(WRITE);
        breaker.succeeded(READ);

        assertThat(breaker.failed(WRITE)).isTrue();
    }

    @Test
    void afterASuccessfulAttemptOneFailureIsEnoughUntilTheFirstSuccess() {
        breaker.closed();
        assertThat(breaker.failed(READ)).isTrue();

        breaker.closed();
        breaker.succeeded(READ);
        assertThat(breaker.failed(READ)).isFalse();
    }

    @Test
    void pausesGrowUpToTheMaximum() {
        assertThat(breaker.nextPauseNanos()).isEqualTo(1_000_000);
        assertThat(breaker.nextPauseNanos()).isEqualTo(2_000_000);
        assertThat(breaker.nextPauseNanos()).isEqualTo(4_000_000);
        assertThat(breaker.nextPauseNanos()).isEqualTo(5_000_000);
        assertThat(breaker.nextPauseNanos()).isEqualTo(5_000_000);
    }

    @Test
    void pausesAreRandomSoThatInstancesDoNotRetryTogether() {
        random = 0;
        assertThat(breaker.nextPauseNanos()).isEqualTo(500_000);
        random = 0.5;
        assertThat(breaker.nextPauseNanos()).isEqualTo(1_500_000);
    }

    @Test
    void aSuccessfulAttemptAloneDoesNotShortenThePause() {
        breaker.nextPauseNanos();
        breaker.closed();
        assertThat(breaker.nextPauseNanos()).isEqualTo(2_000_000);

        breaker.closed();
        breaker.succeeded(READ);
        assertThat(breaker.nextPauseNanos()).isEqualTo(1_000_000);
    }
}
