// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Stripe. The key is {@code ev_<id>}. {@code Stripe-Signature: t=..,v1=..} signs {@code t.body}. The HMAC key is the whole text
 * {@code whsec_...}.
 */
final class Stripe implements Provider {
    private static final Set<String> PAID = Set.of("payment_intent.succeeded", "charge.succeeded");

    private final Signature signature;

    Stripe(ProviderConfig config) {
        signature = TimestampedSignature.pairs(
                config.keys(), config.tolerance(Duration.ofMinutes(5)), "Stripe-Signature", ",", "t", "v1", ".");
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("stripe-signature");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "id")
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseThrow(() -> DeliveryJson.withoutKey("an id"));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "type")
                .filter(PAID::contains)
                .flatMap(type -> DeliveryJson.text(event, "data", "object", "id"))
                .map(Payment.Confirmation::new);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(31);
    }
}
