// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlackTest extends ProviderContract {
    @Override
    List<Sample> signed() {
        return Vectors.of("slack").stream()
                .map(vector -> Vectors.sample("slack", "secrets", vector, Vectors.text(vector, "secret"), 1531420618L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return Sample.request(Map.of(), "{\"event_id\":\"Ev1\"}");
    }

    @Override
    String key() {
        return "ev_Ev1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(Sample.request(Map.of(), "{\"id\":1}"));
    }

    @Override
    Provider provider() {
        return Providers.of("slack", ProviderConfig.none());
    }

    @Test
    void aChallengeIsEchoed() {
        assertThat(provider()
                        .handshake(Sample.request(Map.of(), "{\"type\":\"url_verification\",\"challenge\":\"3eZb\"}")))
                .contains(Handshake.ok("3eZb"));
        assertThat(provider().handshake(event())).isEmpty();
    }
}
