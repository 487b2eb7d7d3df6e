// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StripeTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("stripe").stream()
                .map(vector -> SignatureVectors.sample(
                        "stripe", "secrets", vector, SignatureVectors.text(vector, "secret"), 1533204620L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"id\":\"evt_1\"}");
    }

    @Override
    String key() {
        return "ev_evt_1";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(SignedDelivery.request(Map.of(), "{\"type\":\"x\"}"));
    }

    @Override
    Provider provider() {
        return Providers.of("stripe", ProviderConfig.none());
    }

    @Test
    void successConfirmsAPaymentAndARefundDoesNot() {
        assertThat(
                        payments(
                                SignedDelivery.request(
                                        Map.of(),
                                        "{\"id\":\"evt_1\",\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":{\"id\":\"pi_1\"}}}")))
                .containsExactly(new Payment.Confirmation("pi_1"));
        assertThat(payments(SignedDelivery.request(
                        Map.of(),
                        "{\"id\":\"evt_2\",\"type\":\"charge.succeeded\",\"data\":{\"object\":{\"id\":\"ch_1\"}}}")))
                .containsExactly(new Payment.Confirmation("ch_1"));
        assertThat(payments(SignedDelivery.request(
                        Map.of(),
                        "{\"id\":\"evt_3\",\"type\":\"charge.refunded\",\"data\":{\"object\":{\"id\":\"ch_1\"}}}")))
                .isEmpty();
    }

    @Test
    void duringARotationBothSecretsVerify() {
        SignedDelivery sample = signed().get(0);

        assertThat(verify(sample.by().apply(List.of("another", sample.secret())), sample.request(), sample.at()))
                .isEqualTo(Verification.VERIFIED);
        assertThat(verify(sample.by().apply(List.of("another")), sample.request(), sample.at()))
                .isEqualTo(Verification.WRONG);
    }

    @Test
    void oneOfSeveralSignaturesIsEnough() {
        SignedDelivery sample = signed().get(0);
        String header = sample.headers().get("Stripe-Signature");
        String two = header.replace(",v1=", ",v1=00ff,v1=");

        assertThat(verify(
                        sample.by().apply(List.of(sample.secret())), sample.with("Stripe-Signature", two), sample.at()))
                .isEqualTo(Verification.VERIFIED);
    }
}
