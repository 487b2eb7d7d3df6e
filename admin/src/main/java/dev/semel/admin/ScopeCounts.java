// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import java.time.Duration;
import java.util.Map;

/**
 * What happened in a window.
 *
 * @param events how often each kind of event happened; kinds that did not happen are left out
 * @param timed how many run times the quantiles are of
 * @param p50 half of the work took at most so long
 */
public record ScopeCounts(Map<Kind, Long> events, long timed, Duration p50, Duration p95, Duration p99) {
    public ScopeCounts {
        events = Map.copyOf(events);
    }

    static ScopeCounts of(Map<Kind, Long> events, RunTimes times) {
        return new ScopeCounts(events, times.count(), times.quantile(0.5), times.quantile(0.95), times.quantile(0.99));
    }

    /** How often these kinds of events happened. */
    public long of(Kind... kinds) {
        long sum = 0;
        for (Kind kind : kinds) {
            sum += events.getOrDefault(kind, 0L);
        }
        return sum;
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    /** Duplicates that received a stored outcome. */
    public long hits() {
        return of(Kind.REPLAYED, Kind.FAILURE_REPLAYED, Kind.REJECTION_REPLAYED);
    }

    /** Callers whose work ran. */
    public long misses() {
        return of(Kind.GRANTED, Kind.RETRIED, Kind.TAKEN_OVER);
    }

    /** Claims that were settled. */
    public long settled() {
        return of(Kind.SUCCEEDED, Kind.FAILED, Kind.REJECTED, Kind.FAILED_RETRYABLY, Kind.PARKED);
    }

    /** Work that failed, permanently or not. Rejections are answers, not failures. */
    public long failures() {
        return of(Kind.FAILED, Kind.FAILED_RETRYABLY);
    }
}
