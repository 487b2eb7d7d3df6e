// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Paystack. The key is {@code ev_<event>:<data.id>:<data.status>}. */
final class Paystack implements Provider {
    private final Signature signature;

    Paystack(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA512, "x-paystack-signature", "", Encoding.HEX);
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-paystack-signature");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> kind = DeliveryJson.text(event, "event");
        Optional<String> id = DeliveryJson.text(event, "data", "id");
        if (kind.isEmpty() || id.isEmpty()) {
            throw DeliveryJson.withoutKey("an event and a data.id");
        }
        return EventKeys.strong("ev_"
                + ColonJoined.of(
                        kind.get(),
                        id.get(),
                        DeliveryJson.text(event, "data", "status").orElse("")));
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "event")
                .filter("charge.success"::equals)
                .flatMap(paid -> DeliveryJson.text(event, "data", "id"))
                .map(Payment.Confirmation::new);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(4);
    }
}
