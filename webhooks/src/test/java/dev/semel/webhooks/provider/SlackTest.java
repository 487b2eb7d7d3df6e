// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlackTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("slack").stream()
                .map(vector -> SignatureVectors.sample(
                        "slack", "secrets", vector, SignatureVectors.text(vector, "secret"), 1531420618L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"event_id\":\"Ev1\"}");
    }

    @Override
    String key() {
        return "ev_Ev1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("slack", ProviderConfig.none());
    }

    @Test
    void aChallengeIsEchoed() {
        assertThat(provider()
                        .handshake(SignedDelivery.request(
                                Map.of(), "{\"type\":\"url_verification\",\"challenge\":\"3eZb\"}")))
                .contains(Handshake.ok("3eZb"));
        assertThat(provider().handshake(event())).isEmpty();
    }
}
