// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics are served while the database is down, and show it. */
class MetricsOutageTest {
    @TempDir
    Path folder;

    @Test
    void anOutageIsCountedAndUnknownNumbersAreNotInvented() {
        try (PostgresServer database = PostgresServer.start();
                InProcessServer server = over(database)) {
            assertThat(server.post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"before\"}")
                            .status())
                    .isEqualTo(201);
            database.kill();
            assertThat(server.post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"during\"}")
                            .status())
                    .isEqualTo(503);
            Scrape scrape = Scrape.of(server);

            assertThat(scrape.value("idempotency_unavailable_total{scope=\"pay\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("idempotency_miss_total{outcome=\"first\",scope=\"pay\"}"))
                    .isEqualTo(1);
            assertThat(scrape.value("idempotency_store_call_seconds_count{kind=\"apply\",outcome=\"failed\"}"))
                    .isPositive();
            assertThat(scrape.value("idempotency_claims_active")).isNaN();
            assertThat(scrape.value("idempotency_cleanup_backlog")).isNaN();
            assertThat(scrape.value("hikaricp_connections_max{pool=\"semel\"}")).isEqualTo(12);
        }
    }

    private InProcessServer over(PostgresServer database) {
        return InProcessServer.in(
                folder,
                "",
                Map.of(
                        "SEMEL_DATABASE_URL",
                        database.jdbcUrl(),
                        "SEMEL_DATABASE_USER",
                        database.user(),
                        "SEMEL_DATABASE_PASSWORD",
                        database.password()));
    }
}
