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
    List<SignedDelivery> signed() {
        String body = "{\"object\":\"whatsapp_business_account\",\"entry\":[]}";
        return List.of(SignedDelivery.of(
                "whatsapp",
                "secrets",
                "app-secret",
                Map.of("X-Hub-Signature-256", "sha256=" + TestSignatures.hex(Hmac.SHA256, "app-secret", body)),
                body,
                0));
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(
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
    void messagesAndStatusesAreSeparateEvents() {
        WebhookRequest delivery = SignedDelivery.request(
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
    void flatDocumentsHaveIds() {
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"message_id\":\"m1\"}"))
                        .get(0)
                        .key())
                .isEqualTo("ev_m1");
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"id\":\"m1\"}"))
                        .get(0)
                        .key())
                .isEqualTo("msg_m1");
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"text\":\"m1\"}"))
                        .get(0)
                        .key())
                .startsWith("sha256_");
    }

    @Test
    void idsInCamelCaseAreFound() {
        assertThat(flat("{\"messageId\":\"m1\",\"text\":\"a\"}")).isEqualTo("ev_m1");
        assertThat(flat("{\"eventId\":\"e1\",\"text\":\"a\"}")).isEqualTo("ev_e1");
        assertThat(flat("{\"event_id\":\"e1\",\"text\":\"a\"}")).isEqualTo("ev_e1");
    }

    /** A message has several events, for example when it is sent and when it is read. */
    @Test
    void twoEventsOfOneMessageAreTwoEvents() {
        for (String name : List.of("messageId", "message_id")) {
            assertThat(flat("{\"" + name + "\":\"m1\",\"status\":\"sent\"}")).isEqualTo("st_m1:sent");
            assertThat(flat("{\"" + name + "\":\"m1\",\"eventId\":\"e1\"}")).isEqualTo("ev_e1");
            assertThat(flat("{\"" + name + "\":\"m1\",\"event_id\":\"e2\"}")).isEqualTo("ev_e2");
        }
    }

    private String flat(String document) {
        return keys(SignedDelivery.request(Map.of(), document)).get(0).key();
    }

    @Test
    void messagesAndStatusesAtTheTopAreSeparateEvents() {
        WebhookRequest delivery = SignedDelivery.request(
                Map.of(),
                "{\"id\":\"account\",\"messages\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"statuses\":[{\"id\":\"a\",\"status\":\"read\"}]}");

        assertThat(keys(delivery)).extracting(EventKeys::key).containsExactly("msg_a", "msg_b", "st_a:read");
        assertThat(new String(provider().split(delivery).get(1).payload(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"account\",\"messages\":[{\"id\":\"b\"}]}");
        assertThat(flat("{\"messages\":[{\"id\":\"a\"}]}")).isEqualTo("msg_a");
    }

    /** Without ids, equal texts would count as one event. */
    @Test
    void messagesWithoutIdsAtTheTopArePartOfTheirDocument() {
        assertThat(flat("{\"id\":\"d1\",\"messages\":[\"hello\"]}")).isEqualTo("msg_d1");
        assertThat(flat("{\"id\":\"d1\",\"messages\":[{\"id\":\"a\"},{\"text\":\"hello\"}]}"))
                .isEqualTo("msg_d1");
    }

    /** An excerpt omits the other arrays of events, so the status would be lost. */
    @Test
    void aStatusWithoutAnIdIsNotLostNextToMessagesWithIds() {
        assertThat(
                        flat(
                                "{\"id\":\"d1\",\"messages\":[{\"id\":\"a\"},{\"id\":\"b\"}],\"statuses\":[{\"status\":\"read\"}]}"))
                .isEqualTo("msg_d1");
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
        return new WebhookRequest("GET", url, DeliveryHeaders.single(Map.of()), new byte[0], "acme");
    }
}
