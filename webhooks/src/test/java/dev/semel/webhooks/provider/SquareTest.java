// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SquareTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("square").stream()
                .map(vector -> SignatureVectors.sample(
                                "square", "secrets", vector, SignatureVectors.text(vector, "secret"), 0)
                        .at(SignatureVectors.text(vector, "url")))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"event_id\":\"e1\"}");
    }

    @Override
    String key() {
        return "ev_e1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("square", ProviderConfig.none());
    }

    @Test
    void behindAProxyTheRegisteredUrlIsConfigured() {
        SignedDelivery sample = signed().get(0);
        Provider configured =
                Providers.of("square", ProviderConfig.secrets(sample.secret()).with("url", sample.url()));
        WebhookRequest proxied =
                SignedDelivery.request("http://10.0.0.1/webhooks/square", sample.headers(), sample.body());

        assertThat(verify(configured, proxied, sample.at())).isEqualTo(Verification.VERIFIED);
        assertThat(verify(sample.by().apply(List.of(sample.secret())), proxied, sample.at()))
                .isEqualTo(Verification.WRONG);
    }
}
