// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Claim;
import dev.semel.ClaimListener;
import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.admin.ClaimStatistics;
import dev.semel.admin.Cleanup;
import dev.semel.admin.HistoryRecorder;
import dev.semel.admin.Keys;
import dev.semel.admin.OperatorDecision;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimBrowser;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreGaugesTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ClaimStatistics statistics = new ClaimStatistics(Duration.ofSeconds(1));

    @Test
    void aParkedClaimOfAQuietTenantIsStillCounted() throws Exception {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                Semel semel = engine(store, statistics)) {
            StoreGauges gauges = new StoreGauges(store, statistics, registry, nanos::get);
            semel.settle(granted(semel, "order-17", Terms.DEFAULT), Status.UNKNOWN, null, "no answer")
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            assertThat(parked(gauges)).isEqualTo(1);

            await().atMost(Duration.ofSeconds(20)).until(() -> statistics.all().isEmpty());

            assertThat(parked(gauges)).isEqualTo(1);
        }
    }

    @Test
    void aRestartedInstanceFindsParkedClaims() throws Exception {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                HistoryRecorder history = new HistoryRecorder(store);
                Semel semel = engine(store, history)) {
            semel.settle(granted(semel, "order-17", Terms.DEFAULT), Status.UNKNOWN, null, "no answer")
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(20)).until(() -> !store.parked(1).isEmpty());
        }
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"))) {
            StoreGauges gauges = new StoreGauges(store, statistics, registry, nanos::get);

            assertThat(parked(gauges)).isEqualTo(1);
        }
    }

    /** A page has a thousand claims, the newest first. The parked claim is older, and still waits. */
    @Test
    void aParkedClaimBehindManyNewerOnesIsStillCounted() throws Exception {
        ClaimStatistics served = new ClaimStatistics(Duration.ofHours(1));
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                HistoryRecorder history = new HistoryRecorder(store);
                Semel semel = engine(store, served, history)) {
            StoreGauges gauges = new StoreGauges(store, served, registry, nanos::get);
            Claim claim = granted(semel, "order-17", Terms.DEFAULT);
            semel.settle(claim, Status.UNKNOWN, null, "no answer")
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            assertThat(parked(gauges)).isEqualTo(1);
            List<CompletableFuture<ClaimOutcome>> running = new ArrayList<>();
            for (int i = 0; i < ClaimBrowser.Query.MAX_LIMIT; i++) {
                running.add(claimed(semel, "running-" + i, Terms.DEFAULT));
            }
            for (CompletableFuture<ClaimOutcome> outcome : running) {
                outcome.get(20, TimeUnit.SECONDS);
            }
            assertThat(parked(gauges)).isEqualTo(1);

            await().atMost(Duration.ofSeconds(20)).until(() -> !store.parked(1).isEmpty());
            SimpleMeterRegistry fresh = new SimpleMeterRegistry();
            new StoreGauges(store, served, fresh, nanos::get).refresh();
            assertThat(fresh.get("idempotency.claims.parked").gauge().value())
                    .as("after a restart")
                    .isEqualTo(1);

            Keys.on(store, SECRETS).decide(claim.ref(), OperatorDecision.release(claim.fence(), "ann", "not done"));
            assertThat(parked(gauges)).isZero();
        }
    }

    /** Callers are told that its outcome is unknown, long before a cleanup parks it. */
    @Test
    void aLapsedClaimThatNobodyTakesOverIsParked() throws Exception {
        ClaimStatistics served = new ClaimStatistics(Duration.ofHours(1));
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                Semel semel = engine(store, served)) {
            StoreGauges gauges = new StoreGauges(store, served, registry, nanos::get);
            granted(
                    semel,
                    "abandoned",
                    Terms.DEFAULT.withLease(Duration.ofMillis(300)).withOnStale(StalePolicy.PARK));
            assertThat(gauge(gauges, "idempotency.claims.active")).isEqualTo(1);

            await().atMost(Duration.ofSeconds(20)).until(() -> parked(gauges) == 1);

            assertThat(gauge(gauges, "idempotency.claims.stale")).isZero();
        }
    }

    @Test
    void staleClaimsAndTheBacklogAreCounted() throws Exception {
        ClaimStatistics served = new ClaimStatistics(Duration.ofHours(1));
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                Semel semel = engine(store, served)) {
            StoreGauges gauges = new StoreGauges(store, served, registry, nanos::get);
            granted(semel, "abandoned", Terms.DEFAULT.withLease(Duration.ofMillis(300)));
            semel.settle(
                            granted(semel, "short", Terms.DEFAULT.withTtl(Duration.ofMillis(1))),
                            Status.SUCCEEDED,
                            null,
                            null)
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);

            await().atMost(Duration.ofSeconds(20)).until(() -> gauge(gauges, "idempotency.claims.stale") == 1);

            assertThat(gauge(gauges, "idempotency.cleanup.backlog")).isEqualTo(1);
            assertThat(gauge(gauges, "idempotency.cleanup.last")).isZero();
            Cleanup.of(store, Duration.ofDays(1), null, List.of(), List.of()).run(Duration.ZERO);
            assertThat(gauge(gauges, "idempotency.cleanup.backlog")).isZero();
            assertThat(gauge(gauges, "idempotency.cleanup.last")).isPositive();
        }
    }

    private static Semel engine(JdbcClaimStore store, ClaimListener... listeners) {
        SemelBuilder builder = Semel.on(store).secrets(SECRETS).withoutSweep();
        for (ClaimListener listener : listeners) {
            builder.listener(listener);
        }
        return builder.build();
    }

    private static Claim granted(Semel semel, String key, Terms terms) throws Exception {
        return ((ClaimOutcome.Granted) claimed(semel, key, terms).get(20, TimeUnit.SECONDS)).claim();
    }

    private static CompletableFuture<ClaimOutcome> claimed(Semel semel, String key, Terms terms) {
        return semel.claim(new ClaimKey("acme", "pay", key), Fingerprint.NONE, terms, Duration.ZERO)
                .toCompletableFuture();
    }

    private double parked(StoreGauges gauges) {
        return gauge(gauges, "idempotency.claims.parked");
    }

    /** Reads again, because the last sample is too old. */
    private double gauge(StoreGauges gauges, String name) {
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        gauges.refresh();
        return registry.get(name).gauge().value();
    }
}
