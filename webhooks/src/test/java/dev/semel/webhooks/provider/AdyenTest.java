// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdyenTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        Json vector = SignatureVectors.of("adyen").get(0);
        String body =
                "{\"notificationItems\":[{\"NotificationRequestItem\":{\"pspReference\":\"test_REPORT_AVAILABLE\",\"merchantAccountCode\":\"Magento2Rik\",\"merchantReference\":\"testMerchantRef1\",\"amount\":{\"value\":0,\"currency\":\"EUR\"},\"eventCode\":\"REPORT_AVAILABLE\",\"success\":\"true\",\"additionalData\":{\"hmacSignature\":\""
                        + SignatureVectors.text(vector, "signature") + "\"}}}]}";
        return List.of(
                SignedDelivery.of("adyen", "secrets", SignatureVectors.text(vector, "hex_key"), Map.of(), body, 0)
                        .covering(position -> isSigned(body, position)));
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(
                Map.of(),
                "{\"notificationItems\":[{\"NotificationRequestItem\":{\"pspReference\":\"p\",\"merchantAccountCode\":\"m\",\"eventCode\":\"AUTHORISATION\",\"success\":\"true\"}}]}");
    }

    @Override
    String key() {
        return "ev_m:p:AUTHORISATION:true";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of(
                SignedDelivery.request(
                        Map.of(), "{\"notificationItems\":[{\"NotificationRequestItem\":{\"eventCode\":\"x\"}}]}"),
                SignedDelivery.request(Map.of(), "{}"));
    }

    @Override
    Provider provider() {
        return Providers.of("adyen", ProviderConfig.none());
    }

    /** The signature covers the values of the signed fields, but neither names nor punctuation. */
    private static boolean isSigned(String body, int position) {
        return Stream.of(
                        "test_REPORT_AVAILABLE",
                        "Magento2Rik",
                        "testMerchantRef1",
                        "EUR",
                        "true",
                        SignatureVectors.text(SignatureVectors.of("adyen").get(0), "signature"))
                .anyMatch(value -> position >= body.indexOf(value) && position < body.indexOf(value) + value.length());
    }

    @Test
    void theSignedTextEqualsThePublishedVector() {
        Json item = DeliveryJson.at(
                        DeliveryJson.json(signed().get(0).body()), "notificationItems", "0", "NotificationRequestItem")
                .orElseThrow();

        assertThat(Adyen.signed(item))
                .isEqualTo(SignatureVectors.text(SignatureVectors.of("adyen").get(0), "signed_string"));
    }

    @Test
    void aDeliveryWithOneForgedItemIsRefused() {
        SignedDelivery sample = signed().get(0);
        String body = new String(sample.body(), StandardCharsets.UTF_8);
        String two = body.replace("]}", ",{\"NotificationRequestItem\":{\"pspReference\":\"x\"}}]}");

        assertThat(verify(
                        sample.by().apply(List.of(sample.secret())),
                        sample.withBody(two.getBytes(StandardCharsets.UTF_8)),
                        sample.at()))
                .isEqualTo(Verification.MISSING);
    }

    @Test
    void anAuthorisationConfirmsAPayment() {
        assertThat(payments(event())).containsExactly(new Payment.Confirmation("p"));
        assertThat(
                        payments(
                                SignedDelivery.request(
                                        Map.of(),
                                        "{\"notificationItems\":[{\"NotificationRequestItem\":{\"pspReference\":\"p\",\"eventCode\":\"AUTHORISATION\",\"success\":\"false\"}}]}")))
                .isEmpty();
        assertThat(
                        payments(
                                SignedDelivery.request(
                                        Map.of(),
                                        "{\"notificationItems\":[{\"NotificationRequestItem\":{\"pspReference\":\"p\",\"eventCode\":\"REFUND\",\"success\":\"true\"}}]}")))
                .isEmpty();
    }
}
