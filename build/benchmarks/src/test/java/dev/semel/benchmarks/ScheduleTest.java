// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void callsStartAtAFixedRate() {
        Schedule schedule = new Schedule(4, Duration.ofMillis(2_500));
        assertThat(schedule.calls()).isEqualTo(10);
        assertThat(schedule.startNanos(0)).isZero();
        assertThat(schedule.startNanos(1)).isEqualTo(250_000_000);
        assertThat(schedule.startNanos(9)).isEqualTo(2_250_000_000L);
    }

    @Test
    void roundingDoesNotAddUp() {
        Schedule schedule = new Schedule(3, Duration.ofSeconds(1_000));
        assertThat(schedule.startNanos(3_000)).isEqualTo(1_000_000_000_000L);
    }

    @Test
    void thereIsAtLeastOneCall() {
        assertThat(new Schedule(0.1, Duration.ofSeconds(1)).calls()).isEqualTo(1);
    }

    @Test
    void aRateOrALengthOfZeroIsRefused() {
        assertThatThrownBy(() -> new Schedule(0, Duration.ofSeconds(1))).hasMessageContaining("above zero");
        assertThatThrownBy(() -> new Schedule(Double.NaN, Duration.ofSeconds(1)))
                .hasMessageContaining("above zero");
        assertThatThrownBy(() -> new Schedule(1, Duration.ZERO)).hasMessageContaining("above zero");
    }
}
