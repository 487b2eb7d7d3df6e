// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MutableClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final MutableClock clock = new MutableClock(START);

    @Test
    void itStandsStill() {
        assertThat(clock.instant()).isEqualTo(START).isEqualTo(clock.instant());
    }

    @Test
    void itMovesWhenItIsMoved() {
        clock.advance(Duration.ofHours(1));
        clock.advance(Duration.ofMinutes(-10));

        assertThat(clock.instant()).isEqualTo(START.plus(Duration.ofMinutes(50)));
    }
}
