// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.semel.ClaimEvent;
import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AlertsTest {
    private final AtomicLong now = new AtomicLong(Duration.ofDays(3).toNanos());
    private final ClaimStatistics statistics =
            new ClaimStatistics(Duration.ofMinutes(10), now::get, () -> Instant.EPOCH.plusNanos(now.get()));
    private final Alerts alerts = new Alerts(statistics, EnumSet.allOf(AlertRule.class), 20);
    private int number;

    private void happen(int times, Kind kind) {
        happen(times, kind, "pay");
    }

    private void happen(int times, Kind kind, String scope) {
        for (int i = 0; i < times; i++) {
            statistics.onClaim(new ClaimEvent(kind, ref(), scope, 1, null));
        }
    }

    private ClaimRef ref() {
        byte[] digest = new byte[Digest.LENGTH];
        digest[0] = (byte) number;
        digest[1] = (byte) (number++ >> 8);
        return new ClaimRef("acme", new Digest(digest));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private List<AlertRule> firing() {
        return alerts.firing("acme").stream().map(Alert::rule).toList();
    }

    @Test
    void fewHitsOfWebhooksAreNormal() {
        happen(100, Kind.GRANTED, "webhook:stripe");
        happen(100, Kind.GRANTED, "webhooks");

        assertThat(alerts.firing("acme"))
                .extracting(Alert::scope, Alert::rule)
                .containsExactly(tuple("webhooks", AlertRule.HIT_RATE));
    }

    @Test
    void takeOversFireAboveFivePercentAndClear() {
        happen(95, Kind.GRANTED);
        happen(5, Kind.TAKEN_OVER);
        happen(100, Kind.REPLAYED);
        assertThat(firing()).as("exactly 5 %").isEmpty();

        happen(1, Kind.TAKEN_OVER);
        assertThat(firing()).containsExactly(AlertRule.TAKE_OVER_RATE);
        assertThat(alerts.firing("acme").get(0).value()).isEqualTo(6 / 101.0, within(1e-9));

        happen(100, Kind.GRANTED);
        happen(100, Kind.REPLAYED);
        assertThat(firing()).as("the share fell").isEmpty();
    }

    @Test
    void fewHitsFireAndMinimumTrafficIsRequired() {
        happen(15, Kind.GRANTED);
        happen(4, Kind.REPLAYED);
        assertThat(firing()).as("19 events are fewer than the minimum").isEmpty();

        happen(1, Kind.REPLAYED);
        assertThat(firing()).containsExactly(AlertRule.HIT_RATE);

        happen(2, Kind.REJECTION_REPLAYED);
        assertThat(firing()).as("7 of 22 are more than 30 %").isEmpty();
    }

    @Test
    void failuresFireAndRejectionsAreNone() {
        happen(17, Kind.SUCCEEDED);
        happen(10, Kind.REJECTED);
        happen(2, Kind.FAILED);
        happen(1, Kind.FAILED_RETRYABLY);
        assertThat(firing()).as("exactly 10 %").isEmpty();
        happen(1, Kind.FAILED_RETRYABLY);
        assertThat(firing()).containsExactly(AlertRule.FAILURE_RATE);
    }

    @Test
    void theWindowSlides() {
        happen(30, Kind.GRANTED);
        pass(Duration.ofMinutes(5));
        happen(3, Kind.GRANTED, "ship");
        assertThat(statistics.of("acme")).containsOnlyKeys("pay", "ship");

        pass(Duration.ofMinutes(6));
        assertThat(statistics.of("acme")).containsOnlyKeys("ship");
        pass(Duration.ofHours(6));
        assertThat(statistics.of("acme")).isEmpty();
        assertThat(alerts.firing()).isEmpty();
        happen(1, Kind.GRANTED);
        assertThat(statistics.of("acme").get("pay").misses()).isEqualTo(1);
    }

    @Test
    void runTimesAreMeasured() {
        for (int i = 1; i <= 100; i++) {
            ClaimRef ref = ref();
            statistics.onClaim(new ClaimEvent(Kind.GRANTED, ref, "pay", 1, null));
            pass(Duration.ofMillis(i));
            statistics.onClaim(new ClaimEvent(Kind.SUCCEEDED, ref, "pay", 1, null));
        }
        ScopeCounts counts = statistics.of("acme").get("pay");

        assertThat(counts.timed()).isEqualTo(100);
        assertThat(counts.p50()).isBetween(Duration.ofMillis(50), Duration.ofMillis(61));
        assertThat(counts.p99()).isBetween(Duration.ofMillis(99), Duration.ofMillis(120));
    }

    @Test
    void manyScopesAndTenantsStayBounded() {
        for (int i = 0; i < 500; i++) {
            happen(1, Kind.GRANTED, "scope-" + i);
        }
        happen(1, Kind.GRANTED, "step:run-1:send");
        assertThat(statistics.of("acme")).hasSizeLessThanOrEqualTo(101);
        assertThat(statistics.of("acme").get("other").misses()).isEqualTo(401);
        assertThat(statistics.of("nobody")).isEmpty();
    }

    @Test
    void rulesThatAreSwitchedOffDoNotFire() {
        happen(100, Kind.GRANTED);
        assertThat(new Alerts(statistics, Set.of(AlertRule.FAILURE_RATE), 1).firing())
                .isEmpty();
    }
}
