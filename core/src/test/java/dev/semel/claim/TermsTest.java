// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.semel.Missing;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TermsTest {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration TOO_SHORT = SHORTEST.minusNanos(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Duration TOO_LONG = LONGEST.plusNanos(1);

    @Test
    void haveDefaults() {
        assertThat(Terms.DEFAULT)
                .isEqualTo(new Terms(
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(60),
                        Optional.of(Duration.ofDays(1)),
                        StalePolicy.RERUN));
    }

    @Test
    void takeDurationsUpToTheirBounds() {
        Terms shortest = new Terms(SHORTEST, SHORTEST, Optional.of(SHORTEST), StalePolicy.PARK);
        Terms longest = new Terms(LONGEST, LONGEST, Optional.of(LONGEST), StalePolicy.PARK);

        assertThat(shortest.lease()).isEqualTo(SHORTEST);
        assertThat(longest.ttl()).contains(LONGEST);
    }

    @Test
    void refuseDurationsBeyondTheirBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Terms.DEFAULT.withLease(TOO_SHORT))
                .withMessage("A lease must be between 1 ms and 100 years, but is PT0.000999999S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Terms.DEFAULT.withLease(TOO_LONG))
                .withMessage("A lease must be between 1 ms and 100 years, but is PT876000H0.000000001S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Terms.DEFAULT.withMaxRun(TOO_LONG))
                .withMessageStartingWith("A maximum run time must be between");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Terms.DEFAULT.withTtl(TOO_SHORT))
                .withMessageStartingWith("A TTL must be between");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Terms(TOO_SHORT, LONGEST, Optional.empty(), StalePolicy.RERUN))
                .withMessageStartingWith("A lease must be between");
    }

    @Test
    void refuseToEndARunBeforeItsFirstLease() {
        assertThat(Terms.DEFAULT.withMaxRun(Duration.ofMinutes(5)).maxRun()).isEqualTo(Duration.ofMinutes(5));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Terms.DEFAULT.withMaxRun(Duration.ofSeconds(299)))
                .withMessage("A maximum run time must not be shorter than the lease, but PT4M59S < PT5M");
    }

    @Test
    void refuseNulls() {
        assertThatNullPointerException()
                .isThrownBy(() -> Terms.DEFAULT.withLease(Missing.value()))
                .withMessage("A lease must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Terms.DEFAULT.withMaxRun(Missing.value()))
                .withMessage("A maximum run time must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Terms.DEFAULT.withOnStale(Missing.value()))
                .withMessage("A stale policy must not be null");
    }

    @Test
    void changeOneThingAtATime() {
        Terms terms = Terms.DEFAULT
                .withLease(Duration.ofSeconds(10))
                .withTtl(Duration.ofDays(7))
                .withOnStale(StalePolicy.RECONCILE);
        Duration lease = Duration.ofSeconds(10);
        Duration maxRun = Duration.ofMinutes(2);
        Optional<Duration> week = Optional.of(Duration.ofDays(7));

        assertThat(terms).isEqualTo(new Terms(lease, maxRun, week, StalePolicy.RECONCILE));
        assertThat(terms.withoutExpiry()).isEqualTo(new Terms(lease, maxRun, Optional.empty(), StalePolicy.RECONCILE));
        assertThat(terms.withMaxRun(Duration.ofHours(2)))
                .isEqualTo(new Terms(lease, Duration.ofHours(2), week, StalePolicy.RECONCILE));
    }
}
