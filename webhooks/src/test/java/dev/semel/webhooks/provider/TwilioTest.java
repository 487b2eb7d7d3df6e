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
    List<SignedDelivery> signed() {
        return SignatureVectors.of("twilio").stream().map(TwilioTest::sample).toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(
                Map.of("Content-Type", "application/x-www-form-urlencoded"), "MessageSid=SM1&MessageStatus=sent");
    }

    @Override
    String key() {
        return "ev_SM1:sent";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of("Content-Type", "application/x-www-form-urlencoded"), "From=x"));
    }

    @Override
    Provider provider() {
        return Providers.of("twilio", ProviderConfig.none());
    }

    private static SignedDelivery sample(Json vector) {
        String body = DeliveryJson.text(vector, "body").orElseGet(() -> TestSignatures.form(vector));
        return SignedDelivery.of(
                        "twilio",
                        "secrets",
                        SignatureVectors.text(vector, "secret"),
                        SignatureVectors.headers(vector),
                        body,
                        0)
                .at(SignatureVectors.text(vector, "url"));
    }

    @Test
    void theTokenIsNotSigned() {
        WebhookRequest request = SignedDelivery.request(
                Map.of("Content-Type", "application/x-www-form-urlencoded", "I-Twilio-Idempotency-Token", "t1"),
                "MessageSid=SM1&MessageStatus=sent");

        assertThat(keys(request).get(0).key()).isEqualTo("tx_t1");
        assertThat(keys(request).get(0).covered()).isPresent();
    }

    @Test
    void onlyUpperCaseEscapesAreAccepted() {
        WebhookRequest lower = SignedDelivery.request(
                Map.of("Content-Type", "application/x-www-form-urlencoded"), "MessageSid=SM%2b1");

        assertThatThrownBy(() -> provider().split(lower)).isInstanceOf(BadDeliveryException.class);
    }
}
