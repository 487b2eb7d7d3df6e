// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.ClaimEvent.Kind;
import dev.semel.StoreCall;
import dev.semel.claim.SweepReport;
import dev.semel.internal.ScopeLabels;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The counters of one registry. */
final class ClaimMeters {
    private static final Set<Kind> DUPLICATES =
            Set.of(Kind.REPLAYED, Kind.FAILURE_REPLAYED, Kind.REJECTION_REPLAYED, Kind.IN_PROGRESS);
    private static final Set<String> PAYMENTS = Set.of("payment_request", "payment_confirmation");

    private final MeterRegistry registry;
    private final Map<Series, List<Counter>> counters = new ConcurrentHashMap<>();
    private final Map<Series, DistributionSummary> ttls = new ConcurrentHashMap<>();
    private final StoreMeters store;
    private final Counter deleted;
    private final Counter released;
    private final Counter parked;

    ClaimMeters(MeterRegistry registry) {
        this.registry = registry;
        this.store = new StoreMeters(registry);
        this.deleted = swept("deleted");
        this.released = swept("released");
        this.parked = swept("parked");
    }

    private Counter swept(String outcome) {
        return counter(
                "idempotency.swept", "Rows that a sweep deleted, released or parked", Tags.of("outcome", outcome));
    }

    void count(Kind kind, Tags labels, String scope, @Nullable Duration ttl) {
        Series series = new Series(kind, scope, labels);
        List<Counter> known = counters.get(series);
        (known == null ? counters.computeIfAbsent(series, this::counters) : known).forEach(Counter::increment);
        if (ttl != null) {
            ttls.computeIfAbsent(series.ofScope(), this::ttl).record(ttl.toMillis() / 1e3);
        }
    }

    void count(StoreCall call) {
        store.count(call);
    }

    private DistributionSummary ttl(Series series) {
        return DistributionSummary.builder("idempotency.ttl")
                .description("How long results of new claims are kept")
                .baseUnit("seconds")
                .tags(series.labels())
                .register(registry);
    }

    void count(SweepReport report) {
        deleted.increment(report.deleted());
        released.increment(report.released());
        parked.increment(report.parked());
    }

    private List<Counter> counters(Series series) {
        Counter event = event(series);
        if (!DUPLICATES.contains(series.kind())) {
            return List.of(event);
        }
        Tags outcome = series.tenant().and("outcome", duplicateOutcome(series.kind()));
        if (series.scope().equals(ScopeLabels.STEP)) {
            return List.of(event, counter("step.duplicate", "Workflow steps that were done or in progress", outcome));
        }
        return PAYMENTS.contains(series.scope())
                ? List.of(event, counter("payment.duplicate", "Payments that were done or in progress", outcome))
                : List.of(event);
    }

    private Counter event(Series series) {
        Tags scope = series.labels();
        return switch (series.kind()) {
            case REPLAYED -> hit(scope, "succeeded");
            case FAILURE_REPLAYED -> hit(scope, "failed");
            case REJECTION_REPLAYED -> hit(scope, "rejected");
            case GRANTED -> miss(scope, "first");
            case RETRIED -> miss(scope, "retry");
            case TAKEN_OVER -> miss(scope, "takeover");
            case IN_PROGRESS ->
                counter("idempotency.in.progress", "Callers that received the answer in progress", scope);
            case MISMATCH -> conflict(scope, "mismatch");
            case ALIAS_CONFLICT -> conflict(scope, "alias");
            case UNKNOWN -> counter("idempotency.unknown", "Callers that received the answer unknown", scope);
            case UNAVAILABLE -> counter("idempotency.unavailable", "Callers that got no answer from the store", scope);
            case SUCCEEDED -> settled(scope, "succeeded");
            case FAILED -> settled(scope, "failed");
            case REJECTED -> settled(scope, "rejected");
            case FAILED_RETRYABLY -> settled(scope, "retryable");
            case PARKED -> settled(scope, "unknown");
            case GIVEN_BACK -> counter("idempotency.given.back", "Claims whose work was not begun", scope);
            case OWNERSHIP_LOST ->
                counter("idempotency.ownership.lost", "Owners whose claim was taken over while they ran", scope);
            case RENEWAL_FAILED -> counter("idempotency.renewal.failed", "Renewals that got no answer", scope);
            case SETTLEMENT_FAILED -> counter("idempotency.settlement.failed", "Settlements that got no answer", scope);
            case SHADOW_DUPLICATE ->
                counter(
                        "idempotency.shadow.duplicate",
                        "Calls that ran in shadow mode though they are duplicates",
                        scope);
        };
    }

    private Counter hit(Tags scope, String outcome) {
        return counter("idempotency.hit", "Duplicates that received the stored outcome", scope.and("outcome", outcome));
    }

    private Counter miss(Tags scope, String outcome) {
        return counter("idempotency.miss", "Callers whose work runs", scope.and("outcome", outcome));
    }

    private Counter conflict(Tags scope, String outcome) {
        return counter(
                "idempotency.conflict", "Keys that were used for another request", scope.and("outcome", outcome));
    }

    private Counter settled(Tags scope, String outcome) {
        return counter("idempotency.settled", "Outcomes of work, as stored", scope.and("outcome", outcome));
    }

    private Counter counter(String name, String description, Tags tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private static String duplicateOutcome(Kind kind) {
        return switch (kind) {
            case REPLAYED -> "succeeded";
            case FAILURE_REPLAYED -> "failed";
            case REJECTION_REPLAYED -> "rejected";
            default -> "in_progress";
        };
    }

    /** @param labels the scope and, if switched on, the tenant */
    private record Series(Kind kind, String scope, Tags labels) {
        /** The same for all kinds of granted claims. */
        Series ofScope() {
            return new Series(Kind.GRANTED, scope, labels);
        }

        /** The labels without the scope. */
        Tags tenant() {
            return Tags.of(labels.stream()
                    .filter(label -> !label.getKey().equals(SemelMetrics.SCOPE))
                    .toList());
        }
    }
}
