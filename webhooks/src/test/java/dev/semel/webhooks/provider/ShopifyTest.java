// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShopifyTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("shopify").stream()
                .map(vector -> SignatureVectors.sample(
                        "shopify", "secrets", vector, SignatureVectors.text(vector, "secret"), 0L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(
                Map.of("X-Shopify-Event-Id", "e1", "X-Shopify-Topic", "orders/paid"), "{\"id\":1}");
    }

    @Override
    String key() {
        return "ev_e1:orders/paid";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("shopify", ProviderConfig.none());
    }

    @Test
    void oneBodyUnderTwoTopicsIsTwoEvents() {
        assertThat(keys(event()).get(0).covered()).isPresent();
    }
}
