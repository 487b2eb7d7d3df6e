// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * GitHub. The key is {@code tx_<X-GitHub-Delivery>}, which a manual redelivery keeps. The signature covers neither this
 * header nor the event's name, so the body alone backs the key. Different kinds of events never have the same body.
 */
final class GitHub implements Provider {
    private final Signature signature;

    GitHub(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA256, "X-Hub-Signature-256", "sha256=", Encoding.HEX);
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-hub-signature-256", "x-hub-signature");
    }

    /** If the delivery is a form, the event is its field {@code payload}. */
    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json body = DeliveryJson.of(request);
        Json event = DeliveryJson.isForm(request)
                ? DeliveryJson.text(body, "payload")
                        .map(text -> DeliveryJson.json(text.getBytes(StandardCharsets.UTF_8)))
                        .orElseThrow(() -> new BadDeliveryException("The form field payload is required"))
                : body;
        return List.of(Fragment.whole(event, request.body()));
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return request.headers()
                .one("X-GitHub-Delivery")
                .map(id -> EventKeys.strong("tx_" + id).notSigned(request.digest("")))
                .orElseThrow(() -> DeliveryJson.withoutKey("a header X-GitHub-Delivery"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(4);
    }
}
