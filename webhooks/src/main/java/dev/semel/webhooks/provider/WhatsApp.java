// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * WhatsApp. A delivery contains messages, with the key {@code msg_<id>}, and statuses, with the key {@code st_<message
 * id>:<status>}, because all statuses of a message have its id. They are in {@code entry[].changes[].value} or at the top
 * of the document. Any other change is one event, and so is a flat document.
 */
final class WhatsApp implements Provider {
    private final Signature signature;
    private final Optional<String> verifyToken;
    private final EventIds.Fallback fallback;

    WhatsApp(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA256, "X-Hub-Signature-256", "sha256=", Encoding.HEX);
        verifyToken = config.one("verify_token");
        // The timestamp is not signed, so it counts only if deliveries are not verified.
        fallback = EventIds.Fallback.of(
                config,
                "X-Hub-Signature-256",
                signature == Signature.NONE ? Optional.of("X-Hub-Timestamp") : Optional.empty());
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-hub-signature-256", "x-hub-signature");
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json delivery = DeliveryJson.of(request);
        WhatsAppEvents events = WhatsAppEvents.of(delivery);
        if (events.all().size() < 2) {
            return List.of(Fragment.whole(
                    events.all().isEmpty() ? delivery : events.all().get(0).event(), request.body()));
        }
        Excerpts excerpts = Excerpts.of(delivery, events);
        return events.all().stream()
                .map(place -> excerpts.fragment(place.event(), place.path()))
                .toList();
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> id = DeliveryJson.text(event, "id");
        Optional<String> status = DeliveryJson.text(event, "status");
        Optional<String> message =
                id.or(() -> EventIds.eventId(event).isPresent() ? Optional.empty() : EventIds.messageId(event));
        if (message.isPresent() && status.isPresent()) {
            return EventKeys.strong("st_" + ColonJoined.of(message.get(), status.get()));
        }
        return id.map(text -> EventKeys.strong("msg_" + text))
                .orElseGet(() -> EventIds.idOrDigest(request, event, fallback));
    }

    @Override
    public Optional<Handshake> handshake(WebhookRequest request) {
        if (!request.method().equals("GET")) {
            return Optional.empty();
        }
        UrlQuery query = UrlQuery.of(request.url());
        boolean right = query.one("hub.mode").equals(Optional.of("subscribe"))
                && verifyToken.isPresent()
                && MessageDigest.isEqual(
                        utf8(verifyToken.get()),
                        utf8(query.one("hub.verify_token").orElse("")));
        Optional<String> challenge = query.one("hub.challenge");
        return Optional.of(right && challenge.isPresent() ? Handshake.ok(challenge.get()) : Handshake.forbidden());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(8);
    }
}
