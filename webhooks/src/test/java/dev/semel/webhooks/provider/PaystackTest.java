// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.webhooks.signature.Hmac;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PaystackTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        String body = "{\"event\":\"charge.success\",\"data\":{\"id\":1,\"status\":\"success\"}}";
        return List.of(SignedDelivery.of(
                "paystack",
                "secrets",
                "sk_test_1",
                Map.of("x-paystack-signature", TestSignatures.hex(Hmac.SHA512, "sk_test_1", body)),
                body,
                0));
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(
                Map.of(), "{\"event\":\"charge.success\",\"data\":{\"id\":302961,\"status\":\"success\"}}");
    }

    @Override
    String key() {
        return "ev_charge.success:302961:success";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(
                SignedDelivery.request(Map.of(), "{\"event\":\"x\"}"),
                SignedDelivery.request(Map.of(), "{\"data\":{\"id\":1}}"));
    }

    @Override
    Provider provider() {
        return Providers.of("paystack", ProviderConfig.none());
    }

    @Test
    void aChargeConfirmsAPayment() {
        assertThat(payments(
                        SignedDelivery.request(Map.of(), "{\"event\":\"charge.success\",\"data\":{\"id\":302961}}")))
                .containsExactly(new Payment.Confirmation("302961"));
        assertThat(payments(
                        SignedDelivery.request(Map.of(), "{\"event\":\"refund.processed\",\"data\":{\"id\":302961}}")))
                .isEmpty();
    }
}
