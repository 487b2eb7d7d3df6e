// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent;
import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a chart and the tiles of a dashboard show. */
class ChartStatisticsTest {
    private static final ClaimRef REF = new ClaimRef("acme", new Digest(new byte[Digest.LENGTH]));
    private static final Instant START = Instant.parse("2026-03-01T22:00:00Z");

    private final AtomicLong now = new AtomicLong(Duration.ofHours(1).toNanos());
    private final ClaimStatistics statistics =
            new ClaimStatistics(Duration.ofMinutes(15), now::get, () -> START.plusNanos(now.get()));

    private void happen(Kind... kinds) {
        for (Kind kind : kinds) {
            statistics.onClaim(new ClaimEvent(kind, REF, "pay", 1, null));
        }
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private int[] point(int fromEnd) {
        List<int[]> points = statistics.rates("acme");
        return points.get(points.size() - 1 - fromEnd);
    }

    @Test
    void eachOutcomeIsOneLineOfTheChart() {
        happen(Kind.REPLAYED, Kind.FAILURE_REPLAYED, Kind.REJECTION_REPLAYED);
        happen(Kind.GRANTED, Kind.RETRIED, Kind.TAKEN_OVER, Kind.GRANTED);
        happen(Kind.IN_PROGRESS, Kind.MISMATCH, Kind.ALIAS_CONFLICT, Kind.FAILED, Kind.FAILED_RETRYABLY);
        happen(Kind.SUCCEEDED, Kind.PARKED, Kind.UNAVAILABLE);

        assertThat(point(0)).containsExactly(3, 4, 1, 2, 2);
    }

    @Test
    void pointsMoveBackAndDisappear() {
        happen(Kind.GRANTED);
        pass(RateSeries.STEP);
        happen(Kind.REPLAYED, Kind.REPLAYED);

        assertThat(point(0)).containsExactly(2, 0, 0, 0, 0);
        assertThat(point(1)).containsExactly(0, 1, 0, 0, 0);

        pass(RateSeries.STEP.multipliedBy(RateSeries.POINTS - 1));
        assertThat(point(RateSeries.POINTS - 1)).containsExactly(2, 0, 0, 0, 0);
        assertThat(statistics.rates("acme").stream()
                        .flatMapToInt(Arrays::stream)
                        .sum())
                .isEqualTo(2);

        pass(RateSeries.STEP);
        assertThat(statistics.rates("acme").stream()
                        .flatMapToInt(Arrays::stream)
                        .sum())
                .isZero();
    }

    @Test
    void aTenantWithoutEventsHasAnEmptyChart() {
        happen(Kind.GRANTED);

        assertThat(statistics.rates("other"))
                .hasSize(RateSeries.POINTS)
                .allSatisfy(point -> assertThat(point).containsOnly(0));
        assertThat(statistics.total("other").misses()).isZero();
        assertThat(statistics.prevented("other").count()).isZero();
    }

    @Test
    void duplicatesAreCountedFromMidnight() {
        happen(Kind.REPLAYED, Kind.IN_PROGRESS, Kind.GRANTED, Kind.MISMATCH);
        assertThat(statistics.prevented("acme")).isEqualTo(new DailyCount.Counted(START.plus(Duration.ofHours(1)), 2));

        pass(Duration.ofHours(1));
        assertThat(statistics.prevented("acme"))
                .isEqualTo(new DailyCount.Counted(Instant.parse("2026-03-02T00:00:00Z"), 0));
        happen(Kind.REPLAYED);
        assertThat(statistics.prevented("acme").count()).isEqualTo(1);
    }

    @Test
    void theTotalIsThatOfAllScopes() {
        happen(Kind.GRANTED);
        pass(Duration.ofMillis(100));
        happen(Kind.SUCCEEDED);
        statistics.onClaim(new ClaimEvent(Kind.REPLAYED, REF, "other", 1, null));

        ScopeCounts total = statistics.total("acme");

        assertThat(total.hits()).isEqualTo(1);
        assertThat(total.misses()).isEqualTo(1);
        assertThat(total.p99()).isBetween(Duration.ofMillis(100), Duration.ofMillis(120));
    }
}
