// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Toss Payments. The key is {@code tx_<transmission id>}, otherwise {@code pkey_<payment or transaction key>}, which all
 * events of one payment share. Only payouts and sellers are signed: {@code v1:base64,v1:base64} over {@code
 * body:transmission time}.
 */
final class Toss implements Provider {
    private static final Set<String> SIGNED = Set.of("payout.changed", "seller.changed");

    private final Signature signature;

    Toss(ProviderConfig config) {
        SigningKeys keys = config.keys();
        signature = Signature.of(keys.isEmpty(), (request, now) -> verify(request, keys));
    }

    /** Only the body shows whether a delivery must be signed. A signature that is present must always be valid. */
    private static Verification verify(WebhookRequest request, SigningKeys keys) {
        Optional<String> header = request.headers().one("tosspayments-webhook-signature");
        if (header.isEmpty()) {
            boolean unsigned = DeliveryJson.text(DeliveryJson.json(request), "eventType")
                    .filter(SIGNED::contains)
                    .isEmpty();
            return unsigned ? Verification.UNSIGNED : Verification.MISSING;
        }
        Optional<String> time = request.headers().one("tosspayments-webhook-transmission-time");
        if (time.isEmpty()) {
            return Verification.MISSING;
        }
        byte[] after = (":" + time.get()).getBytes(StandardCharsets.UTF_8);
        return Verification.of(Arrays.stream(header.get().split(",", 8))
                .filter(part -> part.startsWith("v1:"))
                .flatMap(part -> Encoding.BASE64.decode(part.substring(3)).stream())
                .anyMatch(one -> keys.verify(Hmac.SHA256, one, request.body(), after)));
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("tosspayments-webhook-signature");
    }

    @Override
    public boolean signsAll() {
        return false;
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return request.headers()
                .oneOf("Tosspayments-Webhook-Transmission-Id", "X-Transmission-ID")
                .map(id -> EventKeys.strong("tx_" + id).notSigned(request.digest("")))
                .or(() -> DeliveryJson.text(event, "data", "paymentKey")
                        .or(() -> DeliveryJson.text(event, "data", "transactionKey"))
                        .map(key -> EventKeys.weak("pkey_" + key).notSigned(request.digest(""))))
                .orElseThrow(() -> DeliveryJson.withoutKey(
                        "a header Tosspayments-Webhook-Transmission-Id, or data.paymentKey or data.transactionKey"));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        boolean paid = DeliveryJson.text(event, "eventType").equals(Optional.of("PAYMENT_STATUS_CHANGED"))
                && DeliveryJson.text(event, "data", "status").equals(Optional.of("DONE"));
        return !paid
                ? Optional.empty()
                : DeliveryJson.text(event, "data", "lastTransactionKey")
                        .or(() -> DeliveryJson.text(event, "data", "paymentKey"))
                        .map(Payment.Confirmation::new);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(5);
    }
}
