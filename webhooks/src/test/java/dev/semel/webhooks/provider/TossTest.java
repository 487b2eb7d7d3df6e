// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.webhooks.signature.Hmac;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TossTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        String body = "{\"eventType\":\"payout.changed\",\"data\":{}}";
        String time = "2026-01-01T00:00:00+09:00";
        return List.of(SignedDelivery.of(
                "toss",
                "secrets",
                "toss-key",
                Map.of(
                        "tosspayments-webhook-signature",
                        "v1:" + TestSignatures.base64(Hmac.SHA256, "toss-key", body + ":" + time),
                        "tosspayments-webhook-transmission-time",
                        time),
                body,
                0));
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of("Tosspayments-Webhook-Transmission-Id", "t1"), "{}");
    }

    @Override
    String key() {
        return "tx_t1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"data\":{}}"));
    }

    @Override
    Provider provider() {
        return Providers.of("toss", ProviderConfig.none());
    }

    @Test
    void aPaymentKeyIsWeak() {
        EventKeys keys = keys(SignedDelivery.request(Map.of(), "{\"data\":{\"paymentKey\":\"p1\"}}"))
                .get(0);

        assertThat(keys.key()).isEqualTo("pkey_p1");
        assertThat(keys.strength()).isEqualTo(EventKeys.Strength.WEAK);
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"data\":{\"transactionKey\":\"k1\"}}"))
                        .get(0)
                        .key())
                .isEqualTo("pkey_k1");
        assertThat(keys(SignedDelivery.request(Map.of("X-Transmission-ID", "t2"), "{\"data\":{\"paymentKey\":\"p1\"}}"))
                        .get(0)
                        .key())
                .isEqualTo("tx_t2");
    }

    @Test
    void onlyDoneConfirmsAPayment() {
        assertThat(
                        payments(
                                SignedDelivery.request(
                                        Map.of(),
                                        "{\"eventType\":\"PAYMENT_STATUS_CHANGED\",\"data\":{\"status\":\"DONE\",\"paymentKey\":\"p1\",\"lastTransactionKey\":\"k1\"}}")))
                .containsExactly(new Payment.Confirmation("k1"));
        assertThat(
                        payments(
                                SignedDelivery.request(
                                        Map.of(),
                                        "{\"eventType\":\"PAYMENT_STATUS_CHANGED\",\"data\":{\"status\":\"DONE\",\"paymentKey\":\"p1\"}}")))
                .containsExactly(new Payment.Confirmation("p1"));
        assertThat(
                        payments(
                                SignedDelivery.request(
                                        Map.of(),
                                        "{\"eventType\":\"PAYMENT_STATUS_CHANGED\",\"data\":{\"status\":\"CANCELED\",\"paymentKey\":\"p1\"}}")))
                .isEmpty();
    }

    @Test
    void anEventThatTossDoesNotSignIsUnsigned() {
        Provider withSecret = Providers.of("toss", ProviderConfig.secrets("toss-key"));

        assertThat(verify(
                        withSecret,
                        SignedDelivery.request(Map.of(), "{\"eventType\":\"PAYMENT_STATUS_CHANGED\"}"),
                        Instant.EPOCH))
                .isEqualTo(Verification.UNSIGNED);
        assertThat(verify(
                        withSecret,
                        SignedDelivery.request(Map.of(), "{\"eventType\":\"payout.changed\"}"),
                        Instant.EPOCH))
                .isEqualTo(Verification.MISSING);
    }

    @Test
    void anyOfSeveralSignaturesPasses() {
        SignedDelivery sample = signed().get(0);
        String header = sample.headers().get("tosspayments-webhook-signature");

        assertThat(verify(
                        sample.by().apply(List.of(sample.secret())),
                        sample.with("tosspayments-webhook-signature", "v1:AAAA," + header),
                        sample.at()))
                .isEqualTo(Verification.VERIFIED);
    }
}
