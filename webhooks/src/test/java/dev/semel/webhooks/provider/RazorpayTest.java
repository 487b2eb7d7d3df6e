// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RazorpayTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return SignatureVectors.of("razorpay").stream()
                .map(vector -> SignatureVectors.sample(
                        "razorpay", "secrets", vector, SignatureVectors.text(vector, "secret"), 0L))
                .toList();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of("x-razorpay-event-id", "e1"), "{\"event\":\"x\"}");
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
        return Providers.of("razorpay", ProviderConfig.none());
    }

    @Test
    void aCaptureConfirmsAPayment() {
        assertThat(payments(SignedDelivery.request(
                        Map.of(),
                        "{\"event\":\"payment.captured\",\"payload\":{\"payment\":{\"entity\":{\"id\":\"pay_1\"}}}}")))
                .containsExactly(new Payment.Confirmation("pay_1"));
        assertThat(payments(SignedDelivery.request(
                        Map.of(),
                        "{\"event\":\"refund.processed\",\"payload\":{\"payment\":{\"entity\":{\"id\":\"pay_1\"}}}}")))
                .isEmpty();
    }
}
