// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisTimeTest {
    @Test
    void readsSecondsAndMicroseconds() {
        RedisTime time = RedisTime.of(List.of(
                "1700000000".getBytes(StandardCharsets.US_ASCII), "123999".getBytes(StandardCharsets.US_ASCII)));

        assertThat(time.millis()).isEqualTo(1_700_000_000_123L);
        assertThat(time.isTrusted()).isTrue();
    }

    @Test
    void theDeadlineStartsAtTheGivenMoment() {
        RedisTime time = new RedisTime(1_000_000, 5_000_000_000L);

        assertThat(time.deadline(5_000_000_000L, Duration.ofMillis(300))).isEqualTo(1_000_300);
        assertThat(time.deadline(7_000_000_000L, Duration.ofMillis(300))).isEqualTo(1_002_300);
        assertThat(time.deadline(4_000_000_000L, Duration.ofMillis(300))).isEqualTo(999_300);
    }

    @Test
    void roundsTowardsAnEarlierTime() {
        RedisTime time = new RedisTime(1_000_000, 0);

        assertThat(time.deadline(999_999, Duration.ofMillis(300))).isEqualTo(1_000_300);
        assertThat(time.deadline(-1, Duration.ofMillis(300))).isEqualTo(1_000_299);
    }

    @Test
    void isNotTrustedForLong() {
        long longAgo = System.nanoTime() - Duration.ofSeconds(11).toNanos();

        assertThat(new RedisTime(1_000_000, longAgo).isTrusted()).isFalse();
    }
}
