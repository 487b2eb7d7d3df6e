// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class CleanupTimesTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Duration daily(String now, String at, double random) {
        return new CleanupTimes.Daily(LocalTime.parse(at), BERLIN).untilNext(Instant.parse(now), false, random);
    }

    @Test
    void anIntervalBeginsAtARandomMoment() {
        CleanupTimes hourly = new CleanupTimes.Every(Duration.ofHours(1));

        assertThat(hourly.untilNext(Instant.EPOCH, true, 0.5)).isEqualTo(Duration.ofMinutes(30));
        assertThat(hourly.untilNext(Instant.EPOCH, false, 0.5)).isEqualTo(Duration.ofHours(1));
        assertThat(hourly.pause()).isEqualTo(Duration.ofMinutes(54));
        assertThatIllegalArgumentException().isThrownBy(() -> new CleanupTimes.Every(Duration.ZERO));
    }

    @Test
    void aDailyTimeIsTodayOrTomorrow_withUpToAMinuteOfJitter() {
        assertThat(daily("2026-01-10T01:00:00Z", "03:00", 0)).isEqualTo(Duration.ofHours(1));
        assertThat(daily("2026-01-10T01:00:00Z", "03:00", 0.5)).isEqualTo(Duration.ofSeconds(3_630));
        assertThat(daily("2026-01-10T02:00:00Z", "03:00", 0)).as("now").isEqualTo(Duration.ofHours(24));
        assertThat(daily("2026-01-10T02:00:30Z", "03:00", 0))
                .isEqualTo(Duration.ofHours(24).minusSeconds(30));
    }

    @Test
    void summerTimeMovesTheMoment() {
        assertThat(daily("2026-03-28T02:00:00Z", "03:00", 0))
                .as("a day of 23 hours")
                .isEqualTo(Duration.ofHours(23));
        assertThat(daily("2026-10-24T01:00:00Z", "03:00", 0))
                .as("a day of 25 hours")
                .isEqualTo(Duration.ofHours(25));
        assertThat(daily("2026-03-29T00:00:00Z", "02:30", 0))
                .as("02:30 does not exist on this day")
                .isEqualTo(Duration.ofMinutes(90));
    }
}
