// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SendGridTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("sendgrid").stream()
                .map(vector -> SignatureVectors.sample(
                        "sendgrid", "public_keys", vector, SignatureVectors.text(vector, "public_key"), 0))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "[{\"sg_event_id\":\"e1\"}]");
    }

    @Override
    String key() {
        return "ev_e1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(
                SignedDelivery.request(Map.of(), "[{\"email\":\"x\"}]"),
                SignedDelivery.request(Map.of(), "{\"sg_event_id\":\"e1\"}"));
    }

    @Override
    Provider provider() {
        return Providers.of("sendgrid", ProviderConfig.none());
    }

    /** By default any age is accepted, because SendGrid retries for days with the first timestamp. */
    @Test
    void aConfiguredToleranceIsApplied() {
        for (SignedDelivery sample : signed()) {
            Provider provider = Providers.of(
                    "sendgrid",
                    ProviderConfig.none().with("public_keys", sample.secret()).with("tolerance_seconds", "300"));
            Instant sent = Instant.ofEpochSecond(
                    Long.parseLong(sample.headers().get("X-Twilio-Email-Event-Webhook-Timestamp")));

            assertThat(verify(provider, sample.request(), sent.plusSeconds(300)))
                    .isEqualTo(Verification.VERIFIED);
            assertThat(verify(provider, sample.request(), sent.plusSeconds(301)))
                    .isEqualTo(Verification.OUT_OF_TIME);
            assertThat(verify(provider, sample.request(), sent.minusSeconds(61)))
                    .isEqualTo(Verification.OUT_OF_TIME);
        }
    }

    @Test
    void theMessageIsAnAliasOfTheEvent() {
        assertThat(keys(SignedDelivery.request(
                                Map.of(),
                                "[{\"sg_event_id\":\"e1\",\"sg_message_id\":\"m\",\"event\":\"open\",\"timestamp\":1,\"email\":\"a@b\"}]"))
                        .get(0)
                        .aliases())
                .containsExactly("msg_m:open:1:a@b");
    }

    @Test
    void everyElementIsAnEventWithItsOwnExcerpt() {
        List<Fragment> parts = provider()
                .split(SignedDelivery.request(Map.of(), "[{\"sg_event_id\":\"e1\"}, {\"sg_event_id\":\"e2\"}]"));

        assertThat(parts)
                .map(part -> new String(part.payload(), StandardCharsets.UTF_8))
                .containsExactly("[{\"sg_event_id\":\"e1\"}]", "[{\"sg_event_id\":\"e2\"}]");
    }
}
