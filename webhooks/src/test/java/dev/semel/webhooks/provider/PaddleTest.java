// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.util.List;
import java.util.Map;

class PaddleTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("paddle").stream()
                .map(vector -> SignatureVectors.sample(
                        "paddle", "secrets", vector, SignatureVectors.text(vector, "secret"), 1698796800L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"event_id\":\"evt_1\"}");
    }

    @Override
    String key() {
        return "ev_evt_1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("paddle", ProviderConfig.none());
    }
}
