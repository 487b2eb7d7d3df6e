// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.config.LimitSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NewKeyRateTest {
    /** A bucket that is not filled by one while a machine stands still. */
    private static final int MOST = 600;

    private final NewKeyRate rate = new NewKeyRate(new LimitSettings(
            1, 1, 1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1), 1, 1, MOST));

    @Test
    void whatWasNotUsedComesBack() {
        assertThat(rate.tryTake("acme", MOST)).isEmpty();
        assertThat(rate.tryTake("acme", MOST)).isPresent();

        rate.giveBack("acme", MOST, 0);

        assertThat(rate.tryTake("acme", MOST)).isEmpty();
    }

    @Test
    void moreThanTheBucketHoldsTakesAllOfItAndGivesNoMoreBack() {
        assertThat(rate.tryTake("acme", 10 * MOST)).isEmpty();

        rate.giveBack("acme", 10 * MOST, MOST / 2);

        assertThat(rate.tryTake("acme", MOST)).as("a half was used").isPresent();
        assertThat(rate.tryTake("acme", MOST / 2)).as("and a half came back").isEmpty();
    }

    @Test
    void tenantsHaveBucketsOfTheirOwn() {
        assertThat(rate.tryTake("acme", MOST)).isEmpty();
        assertThat(rate.tryTake("other", MOST)).isEmpty();
    }
}
