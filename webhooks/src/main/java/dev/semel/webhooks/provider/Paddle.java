// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import java.time.Duration;
import java.util.Set;

/** Paddle. The key is {@code ev_<event_id>}. {@code Paddle-Signature: ts=..;h1=..} signs {@code ts:body}. */
final class Paddle implements Provider {
    private final Signature signature;

    Paddle(ProviderConfig config) {
        signature = TimestampedSignature.pairs(
                config.keys(), config.tolerance(Duration.ofMinutes(5)), "Paddle-Signature", ";", "ts", "h1", ":");
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("paddle-signature");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "event_id")
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseThrow(() -> DeliveryJson.withoutKey("an event_id"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(4);
    }

    @Override
    public Duration answerWithin() {
        return Duration.ofSeconds(5);
    }
}
