// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GitHubTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("github").stream()
                .map(vector -> SignatureVectors.sample(
                        "github", "secrets", vector, SignatureVectors.text(vector, "secret"), 0L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of("X-GitHub-Delivery", "72d3162e"), "{\"zen\":\"x\"}");
    }

    @Override
    String key() {
        return "tx_72d3162e";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":\"x\"}"));
    }

    @Override
    Provider provider() {
        return Providers.of("github", ProviderConfig.none());
    }

    @Test
    void theDeliveryIdIsNotSigned() {
        assertThat(keys(event()).get(0).covered()).isPresent();
    }

    @Test
    void aFormContainsTheDocument() {
        WebhookRequest form = SignedDelivery.request(
                Map.of("Content-Type", "application/x-www-form-urlencoded", "X-GitHub-Delivery", "1"),
                "payload=%7B%22zen%22%3A1%7D");

        assertThat(DeliveryJson.text(provider().split(form).get(0).json(), "zen"))
                .contains("1");
    }
}
