// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandardWebhooksTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        List<SignedDelivery> samples = new ArrayList<>();
        for (String name : List.of("standard-webhooks", "svix")) {
            for (Json vector : SignatureVectors.of(name)) {
                boolean symmetric = DeliveryJson.text(vector, "secret").isPresent();
                long at = Long.parseLong(SignatureVectors.headers(vector).getOrDefault("svix-timestamp", "1614265330"));
                samples.add(
                        symmetric
                                ? SignatureVectors.sample(
                                        name, "secrets", vector, SignatureVectors.text(vector, "secret"), at)
                                : SignatureVectors.sample(
                                        name, "public_keys", vector, SignatureVectors.text(vector, "public_key"), at));
            }
        }
        return samples;
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of("webhook-id", "msg_1"), "{}");
    }

    @Override
    String key() {
        return "tx_msg_1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("standard-webhooks", ProviderConfig.none());
    }

    @Test
    void allThreeVectorsArePresent() {
        assertThat(signed()).hasSize(3);
    }
}
