// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MomoTest extends ProviderContract {
    @Override
    List<SignedDelivery> signed() {
        return List.of();
    }

    @Override
    WebhookRequest event() {
        return SignedDelivery.request(Map.of(), "{\"financialTransactionId\":\"f1\",\"status\":\"SUCCESSFUL\"}");
    }

    @Override
    String key() {
        return "tx_f1:SUCCESSFUL";
    }

    @Override
    List<WebhookRequest> withoutKey() {
        return List.of();
    }

    @Override
    Provider provider() {
        return Providers.of("momo", ProviderConfig.none());
    }

    @Test
    void theReferenceMayBeInTheUrl() {
        WebhookRequest request = SignedDelivery.request(
                "https://hooks.example/webhooks/momo?X-Reference-Id=r1",
                Map.of(),
                "{\"status\":\"PENDING\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(keys(request).get(0).key()).isEqualTo("tx_r1:PENDING");
    }

    /** Deliveries are not signed and headers can be reused, so an id in the body is preferred. */
    @Test
    void aReferenceInAHeaderCountsOnlyIfTheBodyHasNone() {
        Map<String, String> header = Map.of("X-Reference-Id", "r1");

        assertThat(keys(SignedDelivery.request(header, "{\"financialTransactionId\":\"f1\",\"status\":\"SUCCESSFUL\"}"))
                        .get(0)
                        .key())
                .isEqualTo("tx_f1:SUCCESSFUL");
        assertThat(keys(SignedDelivery.request(header, "{\"externalId\":\"o1\",\"status\":\"PENDING\"}"))
                        .get(0)
                        .key())
                .isEqualTo("tx_r1:PENDING");
    }

    @Test
    void otherIdsAreUsedBeforeTheDigest() {
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"externalId\":\"o1\",\"status\":\"FAILED\"}"))
                        .get(0)
                        .key())
                .isEqualTo("tx_o1:FAILED");
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"transaction_id\":\"t1\"}"))
                        .get(0)
                        .key())
                .isEqualTo("tx_t1");
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"event_id\":\"e1\"}"))
                        .get(0)
                        .key())
                .isEqualTo("ev_e1");
        assertThat(keys(SignedDelivery.request(Map.of(), "{\"amount\":\"5\"}"))
                        .get(0)
                        .key())
                .matches("sha256_[0-9a-f]{64}");
    }

    @Test
    void onlySuccessConfirmsAPayment() {
        assertThat(payments(SignedDelivery.request(
                        Map.of(), "{\"financialTransactionId\":\"f1\",\"status\":\"SUCCESSFUL\"}")))
                .containsExactly(new Payment.Confirmation("f1"));
        assertThat(payments(SignedDelivery.request(Map.of(), "{\"referenceId\":\"r1\",\"status\":\"SUCCESSFUL\"}")))
                .containsExactly(new Payment.Confirmation("r1"));
        assertThat(payments(
                        SignedDelivery.request(Map.of(), "{\"financialTransactionId\":\"f1\",\"status\":\"FAILED\"}")))
                .isEmpty();
    }
}
