// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long keys are kept: by the provider's setting, or the setting for all webhooks, or the provider's default. */
class WebhookTtlTest {
    private static final String PAID =
            "{\"id\":\"evt_1\",\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":{\"id\":\"pi_1\"}}}";

    @Test
    void theNearestSettingDecides(@TempDir Path folder) throws SQLException {
        Map<String, String> environment = Map.of("WEBHOOK_DEDUP_TTL_HOURS", "100", "IDEMPOTENCY_TTL_HOURS", "7");
        try (InProcessServer server = InProcessServer.in(folder, "webhooks: {stripe: {ttl_hours: 2}}", environment)) {
            deliver(server);
        }
        assertThat(kept(folder))
                .containsEntry("webhook:stripe", Duration.ofHours(2))
                .containsEntry("webhook:github", Duration.ofHours(100))
                .containsEntry("payment_confirmation", Duration.ofHours(7));
    }

    @Test
    void withoutASettingTheProvidersDefaultIsUsed(@TempDir Path folder) throws SQLException {
        try (InProcessServer server = InProcessServer.in(folder)) {
            deliver(server);
        }
        assertThat(kept(folder))
                .containsEntry("webhook:stripe", Duration.ofDays(31))
                .containsEntry("webhook:github", Duration.ofDays(4))
                .containsEntry("payment_confirmation", Duration.ofHours(24));
    }

    private static void deliver(InProcessServer server) {
        assertThat(server.post("/webhooks/stripe", PAID).text("status")).isEqualTo("processed");
        assertThat(server.post("/webhooks/github", "{}", "X-GitHub-Delivery", "d1")
                        .text("status"))
                .isEqualTo("processed");
    }

    private static Map<String, Duration> kept(Path folder) throws SQLException {
        Map<String, Duration> kept = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("data/semel.db"));
                ResultSet rows =
                        connection.createStatement().executeQuery("SELECT scope, ttl_micros FROM idempotency_keys")) {
            while (rows.next()) {
                kept.put(rows.getString(1), Duration.of(rows.getLong(2), ChronoUnit.MICROS));
            }
        }
        return kept;
    }
}
