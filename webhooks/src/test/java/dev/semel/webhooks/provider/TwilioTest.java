// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TwilioTest extends ProviderContract {
    @Override
    List<Sample> signed() {
        return Vectors.of("twilio").stream().map(TwilioTest::sample).toList();
    }

    @Override
    WebhookRequest event() {
        return Sample.request(
                Map.of("Content-Type", "application/x-www-form-urlencoded"), "MessageSid=SM1&MessageStatus=sent");
    }

    @Override
    String key() {
        return "ev_SM1:sent";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(Sample.request(Map.of("Content-Type", "application/x-www-form-urlencoded"), "From=x"));
    }

    @Override
    Provider provider() {
        return Providers.of("twilio", ProviderConfig.none());
    }

    private static Sample sample(Json vector) {
        String body = Documents.text(vector, "body").orElseGet(() -> Signing.form(vector));
        return Sample.of("twilio", "secrets", Vectors.text(vector, "secret"), Vectors.headers(vector), body, 0)
                .at(Vectors.text(vector, "url"));
    }

    @Test
    void theTokenIsNotSigned() {
        WebhookRequest request = Sample.request(
                Map.of("Content-Type", "application/x-www-form-urlencoded", "I-Twilio-Idempotency-Token", "t1"),
                "MessageSid=SM1&MessageStatus=sent");

        assertThat(keys(request).get(0).key()).isEqualTo("tx_t1");
        assertThat(keys(request).get(0).covered()).isPresent();
    }

    @Test
    void anEscapeHasOneSpelling() {
        WebhookRequest lower =
                Sample.request(Map.of("Content-Type", "application/x-www-form-urlencoded"), "MessageSid=SM%2b1");

        assertThatThrownBy(() -> provider().split(lower)).isInstanceOf(BadDeliveryException.class);
    }
}
