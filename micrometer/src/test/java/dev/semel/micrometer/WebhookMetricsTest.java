// SPDX-License-Identifier: Apache-2.0
package dev.semel.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WebhookMetricsTest {
    @AutoClose
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @AutoClose
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
            .withoutSweep()
            .build();

    @Test
    void countsEventsAndDuplicates() {
        WebhookGate gate = WebhookGate.on(semel)
                .acceptingUnverified()
                .listener(WebhookMetrics.on(registry))
                .build(
                        "paypal",
                        Providers.of("paypal", ProviderConfig.none()),
                        event -> CompletableFuture.completedFuture(null));
        for (int delivery = 1; delivery <= 3; delivery++) {
            gate.receive(delivery("{\"id\":\"WH-4711\"}")).toCompletableFuture().join();
        }
        gate.receive(delivery("{\"id\":\"WH-4711\",\"more\":1}"))
                .toCompletableFuture()
                .join();

        assertThat(registry.scrape())
                .contains("webhook_event_total{outcome=\"processed\",provider=\"paypal\"} 1.0")
                .contains("webhook_duplicate_total{outcome=\"already_processed\",provider=\"paypal\"} 3.0")
                .contains("webhook_differs_total{provider=\"paypal\"} 1.0")
                .contains("webhook_unverified_total{provider=\"paypal\"} 4.0")
                .doesNotContain("4711")
                .doesNotContain("acme");
    }

    private static WebhookRequest delivery(String body) {
        return new WebhookRequest(
                "POST",
                "https://hooks.example/webhooks/paypal",
                DeliveryHeaders.single(Map.of()),
                body.getBytes(StandardCharsets.UTF_8),
                "acme");
    }
}
