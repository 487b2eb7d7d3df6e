// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.ClaimEvent;
import dev.semel.ClaimEvent.Kind;
import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.StoreCall;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.SweepReport;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.PaymentKey;
import dev.semel.operations.StepRequest;
import dev.semel.operations.Steps;
import dev.semel.payload.json.JsonString;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SemelMetricsTest {
    private static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());
    private static final ClaimRef REF = new ClaimRef("secret-tenant", new Digest(new byte[32]));

    @AutoClose
    private final MeterRegistry registry = new SimpleMeterRegistry();

    private final SemelMetrics metrics = SemelMetrics.on(registry);

    @AutoClose
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
            .listener(metrics)
            .withoutSweep()
            .build();

    @Test
    void countsAMissAndItsHits() {
        for (int call = 1; call <= 3; call++) {
            semel.execute(CHARGE, CHARGE.key("acme", "order-17"), run -> "receipt");
        }

        assertThat(count("idempotency.miss", "scope", "card.charge", "outcome", "first"))
                .isEqualTo(1);
        assertThat(count("idempotency.settled", "scope", "card.charge", "outcome", "succeeded"))
                .isEqualTo(1);
        assertThat(count("idempotency.hit", "scope", "card.charge", "outcome", "succeeded"))
                .isEqualTo(2);
    }

    @Test
    void countsFailuresAndConflicts() {
        Operation<String> hopeless = CHARGE.classifyingFailures(failure -> FailureClass.FINAL);
        for (int call = 1; call <= 2; call++) {
            semel.execute(hopeless, CHARGE.key("acme", "order-17"), Fingerprint.of(new byte[] {1}), run -> {
                throw new IllegalStateException("declined");
            });
        }
        semel.execute(hopeless, CHARGE.key("acme", "order-17"), Fingerprint.of(new byte[] {2}), run -> "receipt");

        assertThat(count("idempotency.settled", "scope", "card.charge", "outcome", "failed"))
                .isEqualTo(1);
        assertThat(count("idempotency.hit", "scope", "card.charge", "outcome", "failed"))
                .isEqualTo(1);
        assertThat(count("idempotency.conflict", "scope", "card.charge", "outcome", "mismatch"))
                .isEqualTo(1);
    }

    @Test
    void countsDuplicateStepsWithoutTheirRunInATag() {
        Steps steps = Steps.on(semel);
        for (int call = 1; call <= 3; call++) {
            StepRequest step = StepRequest.of("acme", "run-4711", "send-invoice", new JsonString("invoice 17"));
            steps.run(step, run -> new JsonString("sent"));
        }

        assertThat(count("step.duplicate", "outcome", "succeeded")).isEqualTo(2);
        assertThat(count("idempotency.hit", "scope", "step", "outcome", "succeeded"))
                .isEqualTo(2);
        assertThat(tags()).noneMatch(tag -> tag.contains("4711"));
    }

    @Test
    void countsDuplicatePayments() {
        metrics.onClaim(event(Kind.REPLAYED, PaymentKey.REQUEST));
        metrics.onClaim(event(Kind.IN_PROGRESS, PaymentKey.REQUEST));
        metrics.onClaim(event(Kind.FAILURE_REPLAYED, PaymentKey.CONFIRMATION));
        metrics.onClaim(event(Kind.GRANTED, PaymentKey.CONFIRMATION));

        assertThat(count("payment.duplicate", "outcome", "succeeded")).isEqualTo(1);
        assertThat(count("payment.duplicate", "outcome", "in_progress")).isEqualTo(1);
        assertThat(count("payment.duplicate", "outcome", "failed")).isEqualTo(1);
    }

    @Test
    void countsSweptRows() {
        metrics.onSweep(new SweepReport(5, 2, 1, true));
        metrics.onSweep(new SweepReport(3, 0, 0, false));

        assertThat(count("idempotency.swept", "outcome", "deleted")).isEqualTo(8);
        assertThat(count("idempotency.swept", "outcome", "released")).isEqualTo(2);
        assertThat(count("idempotency.swept", "outcome", "parked")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void countsEveryKindOfEventOnce(Kind kind) {
        metrics.onClaim(event(kind, "card.charge"));

        double total = registry.getMeters().stream()
                .filter(meter -> !meter.getId().getName().equals("idempotency.swept"))
                .mapToDouble(meter -> meter.measure().iterator().next().getValue())
                .sum();
        assertThat(total).isEqualTo(1);
        assertThat(tags()).doesNotContain("secret-tenant");
    }

    @Test
    void twoKindsNeverShareASeries() {
        for (Kind kind : Kind.values()) {
            metrics.onClaim(event(kind, "card.charge"));
        }

        List<Meter> counters = registry.getMeters().stream()
                .filter(Counter.class::isInstance)
                .filter(meter -> !meter.getId().getName().equals("idempotency.swept"))
                .toList();
        assertThat(counters).hasSize(Kind.values().length);
    }

    @Test
    void anActorIsNotInATag() {
        metrics.onClaim(event(Kind.GRANTED, "api:POST:/orders:actor:alice@example.com:actor:2"));

        assertThat(count("idempotency.miss", "scope", "api:POST:/orders", "outcome", "first"))
                .isEqualTo(1);
    }

    @Test
    void scopesBeyondTheLimitAreOther() {
        IntStream.range(0, SemelMetrics.MAX_SCOPES + 50)
                .parallel()
                .forEach(i -> metrics.onClaim(event(Kind.GRANTED, "scope-" + i)));
        metrics.onClaim(event(Kind.GRANTED, "late"));

        assertThat(count("idempotency.miss", "scope", "other", "outcome", "first"))
                .isEqualTo(51);
        assertThat(registry.find("idempotency.miss").counters()).hasSize(SemelMetrics.MAX_SCOPES + 1);
    }

    @Test
    void tenantsAreCountedSeparatelyOnlyIfAskedFor() {
        SemelMetrics byTenant = SemelMetrics.byTenant();
        byTenant.bindTo(registry);
        for (int i = 0; i < SemelMetrics.MAX_TENANTS + 20; i++) {
            ClaimRef ref = new ClaimRef("tenant-" + i, new Digest(new byte[32]));
            byTenant.onClaim(new ClaimEvent(Kind.REPLAYED, ref, PaymentKey.REQUEST, 1, null));
        }

        assertThat(count("payment.duplicate", "outcome", "succeeded", "tenant", "tenant-7"))
                .isEqualTo(1);
        assertThat(count("idempotency.hit", "tenant", "other")).isEqualTo(20);
    }

    /** Otherwise 100 tenants with 200 scopes each would have 20,000 series of every metric. */
    @Test
    void pairsOfTenantAndScopeAreBounded() {
        SemelMetrics byTenant = SemelMetrics.byTenant();
        byTenant.bindTo(registry);
        for (int tenant = 0; tenant < 20; tenant++) {
            ClaimRef ref = new ClaimRef("tenant-" + tenant, new Digest(new byte[32]));
            for (int scope = 0; scope < 100; scope++) {
                byTenant.onClaim(new ClaimEvent(Kind.REPLAYED, ref, "scope-" + scope, 1, null));
            }
        }

        assertThat(registry.find("idempotency.hit").counters())
                .hasSizeLessThanOrEqualTo(SemelMetrics.MAX_PAIRS + SemelMetrics.MAX_TENANTS + 1);
        assertThat(count("idempotency.hit", "tenant", "tenant-19", "scope", "other"))
                .isEqualTo(100);
    }

    @Test
    void recordsTheTtlOfNewClaims() {
        metrics.onClaim(new ClaimEvent(Kind.GRANTED, REF, "card.charge", 1, null, Duration.ofHours(1)));
        metrics.onClaim(new ClaimEvent(Kind.RETRIED, REF, "card.charge", 2, null, Duration.ofHours(3)));
        metrics.onClaim(event(Kind.REPLAYED, "card.charge"));

        assertThat(registry.get("idempotency.ttl").summary().mean()).isEqualTo(7_200);
        assertThat(registry.get("idempotency.ttl").summary().count()).isEqualTo(2);
    }

    @Test
    void recordsCallsOfTheStore() {
        metrics.onStoreCall(new StoreCall(StoreCall.Kind.APPLY, 7, Duration.ofMillis(3), Duration.ofMillis(20), true));
        metrics.onStoreCall(new StoreCall(StoreCall.Kind.APPLY, 1, Duration.ZERO, Duration.ofMillis(5), false));
        metrics.onStoreCall(new StoreCall(StoreCall.Kind.SWEEP, 500, Duration.ZERO, Duration.ofMillis(9), true));

        assertThat(registry.get("idempotency.store.call")
                        .tags("kind", "apply", "outcome", "answered")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("idempotency.store.call")
                        .tags("kind", "apply", "outcome", "failed")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("idempotency.store.batch")
                        .tags("kind", "apply")
                        .summary()
                        .totalAmount())
                .isEqualTo(8);
        assertThat(registry.get("idempotency.lane.wait")
                        .tags("kind", "apply")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(3);
    }

    @Test
    void countsInEveryRegistryThatItIsBoundTo() {
        MeterRegistry second = new SimpleMeterRegistry();
        metrics.onClaim(event(Kind.GRANTED, "card.charge"));
        metrics.bindTo(second);
        metrics.onClaim(event(Kind.GRANTED, "card.charge"));

        assertThat(count("idempotency.miss", "scope", "card.charge", "outcome", "first"))
                .isEqualTo(2);
        assertThat(second.get("idempotency.miss").counter().count()).isEqualTo(1);
        second.close();
    }

    @Test
    void prometheusSeesThePromisedNames() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        SemelMetrics scraped = SemelMetrics.on(prometheus);
        for (Kind kind : Kind.values()) {
            scraped.onClaim(event(kind, "step:run-1:send"));
            scraped.onClaim(event(kind, PaymentKey.REQUEST));
        }

        assertThat(prometheus.scrape())
                .contains("idempotency_hit_total{outcome=\"succeeded\",scope=\"step\"} 1.0")
                .contains("idempotency_miss_total{outcome=\"takeover\",scope=\"payment_request\"} 1.0")
                .contains("idempotency_conflict_total{outcome=\"alias\",scope=\"step\"} 1.0")
                .contains("idempotency_in_progress_total{scope=\"step\"} 1.0")
                .contains("idempotency_settled_total{outcome=\"unknown\",scope=\"step\"} 1.0")
                .contains("idempotency_swept_total{outcome=\"deleted\"} 0.0")
                .contains("step_duplicate_total{outcome=\"in_progress\"} 1.0")
                .contains("payment_duplicate_total{outcome=\"failed\"} 1.0")
                .doesNotContain("run-1");
        prometheus.close();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    private Set<String> tags() {
        Set<String> values = new HashSet<>();
        registry.getMeters()
                .forEach(meter ->
                        meter.getId().getTags().stream().map(Tag::getValue).forEach(values::add));
        return values;
    }

    private static ClaimEvent event(Kind kind, String scope) {
        return new ClaimEvent(kind, REF, scope, 1, null);
    }
}
