// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.PublicKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * SendGrid. A delivery is an array of events. The key is {@code ev_<sg_event_id>}. That id is reported to change on a retry, so
 * message, kind, time and e-mail address are an alias. The signature is ECDSA over the timestamp and the raw body.
 */
final class SendGrid implements Provider {
    static final String HEADERS = "X-Twilio-Email-Event-Webhook-";

    private final Signature signature;

    SendGrid(ProviderConfig config) {
        PublicKeys keys = PublicKeys.of("EC", "SHA256withECDSA", config.all("public_keys"));
        Tolerance tolerance = config.tolerance(Duration.ZERO);
        signature = Signature.of(keys.isEmpty(), (request, now) -> verify(request, now, keys, tolerance));
    }

    private static Verification verify(WebhookRequest request, Instant now, PublicKeys keys, Tolerance tolerance) {
        Optional<String> time = request.headers().one(HEADERS + "Timestamp");
        Optional<String> header = request.headers().one(HEADERS + "Signature");
        if (time.isEmpty() || header.isEmpty()) {
            return Verification.MISSING;
        }
        boolean matches = Encoding.BASE64
                .decode(header.get())
                .filter(given -> keys.verify(given, time.get().getBytes(StandardCharsets.UTF_8), request.body()))
                .isPresent();
        if (!matches) {
            return Verification.WRONG;
        }
        return tolerance.allows(time.get(), now) ? Verification.VERIFIED : Verification.OUT_OF_TIME;
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-twilio-email-event-webhook-signature");
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json delivery = DeliveryJson.json(request);
        if (!(delivery instanceof JsonArray events)) {
            throw new BadDeliveryException("The body must be an array of events");
        }
        return Excerpts.ofArray(request, delivery, List.of(), events.elements());
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<String> id = DeliveryJson.text(event, "sg_event_id").map(text -> "ev_" + text);
        Optional<String> message = DeliveryJson.text(event, "sg_message_id")
                .map(text -> "msg_"
                        + ColonJoined.of(
                                text,
                                DeliveryJson.text(event, "event").orElse(""),
                                DeliveryJson.text(event, "timestamp").orElse(""),
                                DeliveryJson.text(event, "email").orElse("")));
        return id.map(EventKeys::strong)
                .map(keys -> message.map(keys::alsoKnownAs).orElse(keys))
                .or(() -> message.map(EventKeys::strong))
                .orElseThrow(() -> DeliveryJson.withoutKey("an sg_event_id or an sg_message_id"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(3);
    }
}
