// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricsScrapeTest {
    private static final MetricsScrape BEFORE = MetricsScrape.of("""
            # HELP idempotency_store_batch Commands or reads that share a call of the store
            # TYPE idempotency_store_batch summary
            idempotency_store_batch_count{kind="apply"} 10
            idempotency_store_batch_sum{kind="apply"} 20.0
            idempotency_store_batch_count{kind="read"} 5
            jvm_threads_live_threads 31.0
            """);

    private static final MetricsScrape AFTER = MetricsScrape.of("""
            idempotency_store_batch_count{kind="apply"} 14
            idempotency_store_batch_sum{kind="apply"} 1.20E2
            idempotency_store_call_seconds_count{kind="apply",outcome="answered"} 3
            idempotency_store_call_seconds_count{kind="apply",outcome="failed"} 1
            http_server_requests_seconds_count{route="/v1/claims/{claim_id}/succeed"} 7 1700000000000
            idempotency_claims_active NaN
            """);

    @Test
    void anAverageIsThatOfTheTimeBetweenTwoScrapes() {
        assertThat(AFTER.averageSince(BEFORE, "idempotency_store_batch", "kind=\"apply\""))
                .isEqualTo(25);
    }

    @Test
    void withoutAnythingMeasuredThereIsNoAverage() {
        assertThat(AFTER.averageSince(AFTER, "idempotency_store_batch", "kind=\"apply\""))
                .isNaN();
        assertThat(AFTER.averageSince(BEFORE, "idempotency_lane_wait_seconds")).isNaN();
    }

    @Test
    void samplesAreFoundByTheirLabels() {
        String calls = "idempotency_store_call_seconds_count";
        assertThat(AFTER.sum(calls)).isEqualTo(4);
        assertThat(AFTER.sum(calls, "outcome=\"answered\"", "kind=\"apply\"")).isEqualTo(3);
        assertThat(AFTER.sum(calls, "kind=\"app\"")).isZero();
        assertThat(BEFORE.sum("jvm_threads_live_threads")).isEqualTo(31);
    }

    @Test
    void bracesInALabelAndTimestampsAreNoObstacle() {
        assertThat(AFTER.sum("http_server_requests_seconds_count")).isEqualTo(7);
        assertThat(AFTER.sum("idempotency_claims_active")).isNaN();
    }

    @Test
    void otherTextIsRefused() {
        assertThatThrownBy(() -> MetricsScrape.of("<html>")).hasMessageContaining("<html>");
    }
}
