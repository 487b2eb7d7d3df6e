// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Keys where a sender has no id of its own for an event. */
final class Ids {
    private Ids() {}

    /** The names under which flat documents carry an id, then the payload's digest. */
    static EventKeys flatOrDigest(WebhookRequest request, Json event, Fallback fallback) {
        return Documents.text(event, "id")
                .or(() -> eventId(event))
                .or(() -> messageId(event))
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseGet(() -> EventKeys.strong("sha256_" + fallback.digest(request, event)));
    }

    /** Asked for before {@link #messageId}: a message can have several events. */
    static Optional<String> eventId(Json event) {
        return Documents.text(event, "event_id").or(() -> Documents.text(event, "eventId"));
    }

    static Optional<String> messageId(Json event) {
        return Documents.text(event, "message_id").or(() -> Documents.text(event, "messageId"));
    }

    static String sha256(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
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
                    ? sha256(
                            header(request, signatureHeader),
                            timestampHeader.map(name -> header(request, name)).orElse(new byte[0]),
                            event.canonical())
                    : sha256(event.canonical());
        }

        private static byte[] header(WebhookRequest request, String name) {
            return request.headers().one(name).orElse("").getBytes(StandardCharsets.UTF_8);
        }
    }
}
