// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Finds the keys of events whose sender has no id of its own, or only a plain one at the top of the document. */
final class EventIds {
    private EventIds() {}

    /** The id at the top of the document, by its usual names; otherwise the digest of the fallback. */
    static EventKeys idOrDigest(WebhookRequest request, Json event, Fallback fallback) {
        return DeliveryJson.text(event, "id")
                .or(() -> eventId(event))
                .or(() -> messageId(event))
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseGet(() -> EventKeys.strong("sha256_" + fallback.digest(request, event)));
    }

    /** The event's id. It takes precedence over {@link #messageId}, because a message can have several events. */
    static Optional<String> eventId(Json event) {
        return DeliveryJson.text(event, "event_id").or(() -> DeliveryJson.text(event, "eventId"));
    }

    static Optional<String> messageId(Json event) {
        return DeliveryJson.text(event, "message_id").or(() -> DeliveryJson.text(event, "messageId"));
    }

    /**
     * The digest that is the key of an event without an id.
     *
     * @param withSignature whether signature and timestamp are hashed with the payload. A retry with a new signature is
     *     then a new event
     * @param timestampHeader empty if the payload is signed but the timestamp is not
     */
    record Fallback(boolean withSignature, String signatureHeader, Optional<String> timestampHeader) {
        private static final String PAYLOAD = "payload";
        private static final String SIGNATURE_AND_PAYLOAD = "signature_and_payload";

        /** The old name of {@link #SIGNATURE_AND_PAYLOAD}, which is still accepted. */
        private static final String SEED = "seed";

        /** Reads the setting {@code fallback}. The default is the payload alone. */
        static Fallback of(ProviderConfig config, String signatureHeader, Optional<String> timestampHeader) {
            String chosen = config.one("fallback").orElse(PAYLOAD);
            boolean withSignature = chosen.equals(SIGNATURE_AND_PAYLOAD) || chosen.equals(SEED);
            if (!withSignature && !chosen.equals(PAYLOAD)) {
                throw new IllegalArgumentException(
                        "fallback must be %s or %s, but is %s".formatted(PAYLOAD, SIGNATURE_AND_PAYLOAD, chosen));
            }
            return new Fallback(withSignature, signatureHeader, timestampHeader);
        }

        String digest(WebhookRequest request, Json event) {
            return withSignature
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
