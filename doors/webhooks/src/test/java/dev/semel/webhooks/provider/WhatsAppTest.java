// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WhatsAppTest extends ProviderContract {
    @Override
    List<Sample> signed() {
        String body = "{\"object\":\"whatsapp_business_account\",\"entry\":[]}";
        return List.of(Sample.of(
                "whatsapp",
                "secrets",
                "app-secret",
                Map.of("X-Hub-Signature-256", "sha256=" + Signing.hex(Hmac.SHA256, "app-secret", body)),
                body,
                0));
    }

    @Override
    WebhookRequest event() {
        return Sample.request(
                Map.of(),
                "{\"entry\":[{\"changes\":[{\"value\":{\"messages\":[{\"id\":\"wamid.1\",\"from\":\"x\"}]}}]}]}");
    }

    @Override
    String key() {
        return "msg_wamid.1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of();
    }

    @Override
    Provider provider() {
        return Providers.of("whatsapp", ProviderConfig.none());
    }

    @Test
    void messagesAndStatusesAreEventsOfTheirOwn() {
        WebhookRequest delivery = Sample.request(
                Map.of(),
                "{\"object\":\"w\",\"entry\":[{\"id\":\"1\",\"changes\":[{\"field\":\"messages\",\"value\":{\"metadata\":{},\"messages\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"statuses\":[{\"id\":\"a\",\"status\":\"sent\"},{\"id\":\"a\",\"status\":\"read\"}]}}]},{\"id\":\"2\",\"changes\":[{\"field\":\"account_update\",\"value\":{\"event\":\"x\"}}]}]}");

        assertThat(keys(delivery))
                .extracting(EventKeys::key)
                .startsWith("msg_a", "msg_b", "st_a:sent", "st_a:read")
                .hasSize(5)
                .last()
                .asString()
                .startsWith("sha256_");
        assertThat(new String(provider().split(delivery).get(2).payload(), StandardCharsets.UTF_8))
                .isEqualTo("{\"object\":\"w\",\"entry\":[{\"id\":\"1\",\"changes\":[{\"field\":\"messages\",\"value\":"
                        + "{\"metadata\":{},\"statuses\":[{\"id\":\"a\",\"status\":\"sent\"}]}}]}]}");
    }

    @Test
    void flatDocumentsHaveIdsToo() {
        assertThat(keys(Sample.request(Map.of(), "{\"message_id\":\"m1\"}"))
                        .get(0)
                        .key())
                .isEqualTo("ev_m1");
        assertThat(keys(Sample.request(Map.of(), "{\"id\":\"m1\"}")).get(0).key())
                .isEqualTo("msg_m1");
        assertThat(keys(Sample.request(Map.of(), "{\"text\":\"m1\"}")).get(0).key())
                .startsWith("sha256_");
    }

    @Test
    void theHandshakeNeedsTheToken() {
        Provider provider = Providers.of("whatsapp", ProviderConfig.none().with("verify_token", "right"));

        assertThat(provider.handshake(asking("right"))).contains(Handshake.ok("42"));
        assertThat(provider.handshake(asking("wrong"))).contains(Handshake.forbidden());
        assertThat(provider().handshake(asking(""))).contains(Handshake.forbidden());
    }

    private static WebhookRequest asking(String token) {
        String url = "https://hooks.example/whatsapp?hub.mode=subscribe&hub.challenge=42&hub.verify_token=" + token;
        return new WebhookRequest("GET", url, Headers.single(Map.of()), new byte[0], "acme");
    }
}
