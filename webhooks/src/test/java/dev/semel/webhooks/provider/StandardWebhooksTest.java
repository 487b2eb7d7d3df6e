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
    List<Sample> signed() {
        List<Sample> samples = new ArrayList<>();
        for (String name : List.of("standard-webhooks", "svix")) {
            for (Json vector : Vectors.of(name)) {
                boolean symmetric = Documents.text(vector, "secret").isPresent();
                long at = Long.parseLong(Vectors.headers(vector).getOrDefault("svix-timestamp", "1614265330"));
                samples.add(
                        symmetric
                                ? Vectors.sample(name, "secrets", vector, Vectors.text(vector, "secret"), at)
                                : Vectors.sample(name, "public_keys", vector, Vectors.text(vector, "public_key"), at));
            }
        }
        return samples;
    }

    @Override
    WebhookRequest event() {
        return Sample.request(Map.of("webhook-id", "msg_1"), "{}");
    }

    @Override
    String key() {
        return "tx_msg_1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(Sample.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("standard-webhooks", ProviderConfig.none());
    }

    @Test
    void allThreeVectorsAreThere() {
        assertThat(signed()).hasSize(3);
    }
}
