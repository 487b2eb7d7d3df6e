// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Keys where a sender has no id of its own for an event. */
final class EventIds {
    private EventIds() {}

    /** The names under which flat documents carry an id, then the payload's digest. */
    static EventKeys flatOrDigest(WebhookRequest request, Json event, Fallback fallback) {
        return DeliveryJson.text(event, "id")
                .or(() -> eventId(event))
                .or(() -> messageId(event))
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseGet(() -> EventKeys.strong("sha256_" + fallback.digest(request, event)));
    }

    /** Asked for before {@link #messageId}: a message can have several events. */
    static Optional<String> eventId(Json event) {
        return DeliveryJson.text(event, "event_id").or(() -> DeliveryJson.text(event, "eventId"));
    }

    static Optional<String> messageId(Json event) {
        return DeliveryJson.text(event, "message_id").or(() -> DeliveryJson.text(event, "messageId"));
    }

    /**
     * What is hashed where an event has no id.
     *
     * @param seed whether signature and timestamp count too, which tells a re-signed retry from the first
     * @param timestampHeader none if the timestamp is not signed though the payload is
     */
    record Fallback(boolean seed, String signatureHeader, Optional<String> timestampHeader) {
        /** The payload alone, or, if the option {@code fallback} says {@code seed}, signature and timestamp before it. */
        static Fallback of(ProviderConfig config, String signatureHeader, Optional<String> timestampHeader) {
            String chosen = config.one("fallback").orElse("payload");
            if (!chosen.equals("payload") && !chosen.equals("seed")) {
                throw new IllegalArgumentException("fallback must be payload or seed, but is " + chosen);
            }
            return new Fallback(chosen.equals("seed"), signatureHeader, timestampHeader);
        }

        String digest(WebhookRequest request, Json event) {
            return seed
                    ? Sha256.hex(
                            header(request, signatureHeader),
                            timestampHeader.map(name -> header(request, name)).orElse(new byte[0]),
                            event.canonical())
                    : Sha256.hex(event.canonical());
        }

        private static byte[] header(WebhookRequest request, String name) {
            return request.headers().one(name).orElse("").getBytes(StandardCharsets.UTF_8);
        }
    }
}
