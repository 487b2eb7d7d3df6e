// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CloudEventsTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return List.of();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"specversion\":\"1.0\",\"source\":\"/orders\",\"id\":\"1\"}");
    }

    @Override
    String key() {
        return "ev_/orders:1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":\"1\"}"));
    }

    @Override
    Provider provider() {
        return Providers.of("cloudevents", ProviderConfig.none());
    }

    @Test
    void binaryModeHasTheAttributesInHeaders() {
        WebhookRequest request = SignedDelivery.request(
                Map.of("ce-id", "7", "ce-source", "/a:b", "Content-Type", "text/plain"), "hello");

        assertThat(keys(request)).extracting(EventKeys::key).containsExactly("ev_/a%3Ab:7");
        assertThat(DeliveryJson.text(provider().split(request).get(0).json(), "data_base64"))
                .contains("aGVsbG8=");
    }

    @Test
    void aBatchHasSeveralEvents() {
        assertThat(keys(SignedDelivery.request(
                        Map.of(), "[{\"source\":\"s\",\"id\":\"1\"},{\"source\":\"s\",\"id\":\"2\"}]")))
                .extracting(EventKeys::key)
                .containsExactly("ev_s:1", "ev_s:2");
    }

    @Test
    void optionsIsAHandshake() {
        WebhookRequest asking = new WebhookRequest(
                "OPTIONS",
                SignedDelivery.URL,
                DeliveryHeaders.single(Map.of("WebHook-Request-Origin", "events.example")),
                new byte[0],
                "acme");
        Provider choosy = Providers.of("cloudevents", ProviderConfig.none().with("allowed_origins", "other.example"));

        assertThat(provider().handshake(asking).orElseThrow().headers())
                .containsEntry("WebHook-Allowed-Origin", "events.example");
        assertThat(choosy.handshake(asking)).contains(Handshake.forbidden());
    }
}
