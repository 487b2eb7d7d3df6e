// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveryJsonTest {
    private static final Map<String, String> FORM = Map.of("Content-Type", "application/x-www-form-urlencoded");

    @Test
    void aDocumentHasAtMostAHundredThousandValues() {
        assertThat(DeliveryJson.of(zeros(99_999))).isNotNull();
        assertThatThrownBy(() -> DeliveryJson.of(zeros(100_000)))
                .isInstanceOf(BadDeliveryException.class)
                .hasMessageContaining("more than 100000 values");
    }

    private static WebhookRequest zeros(int count) {
        return SignedDelivery.request(Map.of(), "[0" + ",0".repeat(count - 1) + "]");
    }

    @Test
    void aBodyIsParsedOnce() {
        WebhookRequest json = SignedDelivery.request(Map.of(), "{\"a\":1}");
        WebhookRequest form = SignedDelivery.request(FORM, "a=1");

        assertThat(DeliveryJson.of(json)).isSameAs(DeliveryJson.json(json)).isSameAs(DeliveryJson.of(json));
        assertThat(Form.of(form)).isSameAs(Form.of(form));
    }

    /** The header is not signed. Otherwise an attacker could turn a signed body into another event. */
    @Test
    void aJsonBodyIsNeverReadAsAForm() {
        String body = "{\"event_id\":\"e1\",\"text\":\"a=b&event_id=e2\"}";

        assertThat(DeliveryJson.text(DeliveryJson.of(SignedDelivery.request(FORM, body)), "event_id"))
                .contains("e1");
        assertThat(Providers.of("paddle", ProviderConfig.none())
                        .keys(SignedDelivery.request(FORM, body), DeliveryJson.of(SignedDelivery.request(FORM, body)))
                        .key())
                .isEqualTo("ev_e1");
    }
}
