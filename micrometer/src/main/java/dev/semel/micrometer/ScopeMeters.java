// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import dev.semel.ClaimEvent.Kind;
import dev.semel.internal.ScopeLabels;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The counters of one scope in one registry, made when they are first needed. Two threads that make the same counter get the same
 * one from the registry.
 */
final class ScopeMeters {
    private static final Set<Kind> DUPLICATES =
            Set.of(Kind.REPLAYED, Kind.FAILURE_REPLAYED, Kind.REJECTION_REPLAYED, Kind.IN_PROGRESS);
    private static final Set<String> PAYMENTS = Set.of("payment_request", "payment_confirmation");

    private final MeterRegistry registry;
    private final MeterLabels labels;
    private final Tags tags;

    /** Replaced when a kind is added, so that counting needs no lock. */
    private volatile Map<Kind, List<Counter>> counters = Map.of();

    private volatile @Nullable DistributionSummary ttls;

    ScopeMeters(MeterRegistry registry, MeterLabels labels) {
        this.registry = registry;
        this.labels = labels;
        this.tags = labels.tags();
    }

    void count(Kind kind, @Nullable Duration ttl) {
        List<Counter> known = counters.get(kind);
        (known == null ? added(kind) : known).forEach(Counter::increment);
        if (ttl != null) {
            DistributionSummary summary = ttls;
            (summary == null ? addedTtls() : summary).record(ttl.toMillis() / 1e3);
        }
    }

    private synchronized List<Counter> added(Kind kind) {
        List<Counter> added = counters(kind);
        Map<Kind, List<Counter>> more = new EnumMap<>(Kind.class);
        more.putAll(counters);
        more.put(kind, added);
        counters = more;
        return added;
    }

    private DistributionSummary addedTtls() {
        DistributionSummary added = DistributionSummary.builder("idempotency.ttl")
                .description("How long results of new claims are kept")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        ttls = added;
        return added;
    }

    private List<Counter> counters(Kind kind) {
        Counter event = event(kind);
        if (!DUPLICATES.contains(kind)) {
            return List.of(event);
        }
        Tags outcome = labels.withoutScope().and("outcome", duplicateOutcome(kind));
        if (labels.scope().equals(ScopeLabels.STEP)) {
            return List.of(event, counter("step.duplicate", "Workflow steps that were done or in progress", outcome));
        }
        return PAYMENTS.contains(labels.scope())
                ? List.of(event, counter("payment.duplicate", "Payments that were done or in progress", outcome))
                : List.of(event);
    }

    private Counter event(Kind kind) {
        return switch (kind) {
            case REPLAYED -> hit("succeeded");
            case FAILURE_REPLAYED -> hit("failed");
            case REJECTION_REPLAYED -> hit("rejected");
            case GRANTED -> miss("first");
            case RETRIED -> miss("retry");
            case TAKEN_OVER -> miss("takeover");
            case IN_PROGRESS ->
                counter("idempotency.in.progress", "Callers that received the answer in progress", tags);
            case MISMATCH -> conflict("mismatch");
            case ALIAS_CONFLICT -> conflict("alias");
            case UNKNOWN -> counter("idempotency.unknown", "Callers that received the answer unknown", tags);
            case UNAVAILABLE -> counter("idempotency.unavailable", "Callers that got no answer from the store", tags);
            case SUCCEEDED -> settled("succeeded");
            case FAILED -> settled("failed");
            case REJECTED -> settled("rejected");
            case FAILED_RETRYABLY -> settled("retryable");
            case PARKED -> settled("unknown");
            case GIVEN_BACK -> counter("idempotency.given.back", "Claims whose work was not begun", tags);
            case OWNERSHIP_LOST ->
                counter("idempotency.ownership.lost", "Owners whose claim was taken over while they ran", tags);
            case RENEWAL_FAILED -> counter("idempotency.renewal.failed", "Renewals that got no answer", tags);
            case SETTLEMENT_FAILED -> counter("idempotency.settlement.failed", "Settlements that got no answer", tags);
            case SHADOW_DUPLICATE ->
                counter(
                        "idempotency.shadow.duplicate",
                        "Calls that ran in shadow mode though they are duplicates",
                        tags);
        };
    }

    private Counter hit(String outcome) {
        return counter("idempotency.hit", "Duplicates that received the stored outcome", tags.and("outcome", outcome));
    }

    private Counter miss(String outcome) {
        return counter("idempotency.miss", "Callers whose work runs", tags.and("outcome", outcome));
    }

    private Counter conflict(String outcome) {
        return counter("idempotency.conflict", "Keys that were used for another request", tags.and("outcome", outcome));
    }

    private Counter settled(String outcome) {
        return counter("idempotency.settled", "Outcomes of work, as stored", tags.and("outcome", outcome));
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
}
