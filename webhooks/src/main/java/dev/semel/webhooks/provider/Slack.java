// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Slack. The key is {@code ev_<event_id>}. {@code X-Slack-Signature: v0=..} signs {@code v0:timestamp:body}. The handshake
 * echoes a challenge.
 */
final class Slack implements Provider {
    private static final String VERSION = "v0=";

    private final Signature signature;

    Slack(ProviderConfig config) {
        SigningKeys keys = config.keys();
        Tolerance tolerance = config.tolerance(Duration.ofMinutes(5));
        signature = Signature.of(keys.isEmpty(), (request, now) -> verify(request, now, keys, tolerance));
    }

    private static Verification verify(WebhookRequest request, Instant now, SigningKeys keys, Tolerance tolerance) {
        Optional<String> time = request.headers().one("X-Slack-Request-Timestamp");
        Optional<String> header = request.headers().one("X-Slack-Signature");
        if (time.isEmpty() || header.isEmpty()) {
            return Verification.MISSING;
        }
        if (!header.get().startsWith(VERSION)) {
            return Verification.MALFORMED;
        }
        byte[] before = ("v0:" + time.get() + ":").getBytes(StandardCharsets.UTF_8);
        boolean matches = Encoding.HEX
                .decode(header.get().substring(VERSION.length()))
                .filter(given -> keys.verify(Hmac.SHA256, given, before, request.body()))
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
        return Set.of("x-slack-signature");
    }

    /** The body is JSON or a form. */
    @Override
    public List<Fragment> split(WebhookRequest request) {
        return List.of(Fragment.whole(DeliveryJson.of(request), request.body()));
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return DeliveryJson.text(event, "event_id")
                // Commands and buttons have no event id, but a unique trigger id.
                .or(() -> DeliveryJson.text(event, "trigger_id"))
                .map(id -> EventKeys.strong("ev_" + id))
                .orElseThrow(() -> DeliveryJson.withoutKey("an event_id"));
    }

    @Override
    public Optional<Handshake> handshake(WebhookRequest request) {
        if (!request.method().equals("POST") || DeliveryJson.isForm(request)) {
            return Optional.empty();
        }
        Json body = DeliveryJson.json(request);
        return DeliveryJson.text(body, "type")
                .filter("url_verification"::equals)
                .flatMap(type -> DeliveryJson.text(body, "challenge"))
                .map(Handshake::ok);
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(1);
    }

    @Override
    public Duration answerWithin() {
        return Duration.ofSeconds(3);
    }
}
