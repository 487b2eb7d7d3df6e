// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Razorpay. The key is {@code ev_<x-razorpay-event-id>}, which the signature does not cover. */
final class Razorpay implements Provider {
    private final Signature signature;

    Razorpay(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA256, "X-Razorpay-Signature", "", Encoding.HEX);
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-razorpay-signature");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return request.headers()
                .one("x-razorpay-event-id")
                .map(id -> EventKeys.strong("ev_" + id).notSigned(request.digest("")))
                .orElseThrow(() -> DeliveryJson.withoutKey("a header x-razorpay-event-id"));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "event")
                .filter("payment.captured"::equals)
                .flatMap(paid -> DeliveryJson.text(event, "payload", "payment", "entity", "id"))
                .map(Payment.Confirmation::new);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(8);
    }

    @Override
    public Duration answerWithin() {
        return Duration.ofSeconds(5);
    }
}
