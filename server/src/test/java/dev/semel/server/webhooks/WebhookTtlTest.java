// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.semel.server.InProcessServer;
import dev.semel.webhooks.WebhookGate;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

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

    @Test
    void aTtlShorterThanTheSendersRetriesIsReported(@TempDir Path folder) {
        List<String> warnings = warnings(() -> {
            String yaml = "webhooks: {stripe: {ttl_hours: 2}, own: {type: github, ttl_hours: 96}, paddle: {}}";
            try (InProcessServer server = InProcessServer.in(folder, yaml, Map.of("WEBHOOK_DEDUP_TTL_HOURS", "95"))) {
                assertThat(server.port()).isPositive();
            }
        });
        assertThat(warnings)
                .containsExactlyInAnyOrder(
                        "The TTL of webhook keys of stripe is PT2H, shorter than the provider's retry period of PT744H; a late"
                                + " retry would be processed twice. Set its TTL to at least 744 hours (webhooks.stripe.ttl_hours in semel.yml)",
                        "The TTL of webhook keys of paddle is PT95H, shorter than the provider's retry period of PT96H; a late"
                                + " retry would be processed twice. Set its TTL to at least 96 hours (webhooks.paddle.ttl_hours in semel.yml)");
    }

    @Test
    void aProviderWithoutSettingsIsReportedAtItsFirstDelivery(@TempDir Path folder) {
        try (InProcessServer server = InProcessServer.in(folder, "", Map.of("WEBHOOK_DEDUP_TTL_HOURS", "1"))) {
            assertThat(warnings(() -> deliver(server)))
                    .hasSize(2)
                    .anyMatch(line -> line.contains("at least 96 hours (webhooks.github.ttl_hours"));
            assertThat(warnings(() -> deliverAgain(server))).as("once").isEmpty();
        }
    }

    /** What the gates log meanwhile, by this thread or by one of the server's. */
    private static List<String> warnings(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger(WebhookGate.class);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        try {
            work.run();
        } finally {
            logger.detachAppender(appender);
        }
        // Other classes run servers in this process too; their providers keep keys long enough.
        return appender.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith("The TTL of webhook keys"))
                .toList();
    }

    private static void deliverAgain(InProcessServer server) {
        assertThat(server.post("/webhooks/stripe", PAID).text("status")).isEqualTo("already_processed");
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
