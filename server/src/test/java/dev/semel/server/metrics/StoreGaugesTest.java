// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.admin.ClaimStatistics;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreGaugesTest {
    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ClaimStatistics statistics = new ClaimStatistics(Duration.ofSeconds(1));

    @Test
    void aParkedClaimOfAQuietTenantIsStillCounted() throws Exception {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
                Semel semel = Semel.on(store)
                        .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                        .listener(statistics)
                        .build()) {
            StoreGauges gauges = new StoreGauges(store, statistics, registry, nanos::get);
            ClaimOutcome.Granted granted = (ClaimOutcome.Granted)
                    semel.claim(new ClaimKey("acme", "pay", "order-17"), Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS);
            semel.settle(granted.claim(), Status.UNKNOWN, null, "no answer")
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            assertThat(parked(gauges)).isEqualTo(1);

            await().atMost(Duration.ofSeconds(20)).until(() -> statistics.all().isEmpty());

            assertThat(parked(gauges)).isEqualTo(1);
        }
    }

    /** Reads again, because the last sample is too old. */
    private double parked(StoreGauges gauges) {
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        gauges.refresh();
        return registry.get("idempotency.claims.parked").gauge().value();
    }
}
