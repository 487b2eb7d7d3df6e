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
 * GitHub: {@code tx_<X-GitHub-Delivery>}, which the signature does not cover and a redelivery by hand keeps. Nor does it
 * cover the event's name, so the body alone backs the key: no two kinds of events have the same.
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

    /** Sent as a form, the document is its one field. */
    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json body = DeliveryJson.of(request);
        Json event = DeliveryJson.isForm(request)
                ? DeliveryJson.text(body, "payload")
                        .map(text -> DeliveryJson.json(text.getBytes(StandardCharsets.UTF_8)))
                        .orElseThrow(() -> new BadDeliveryException("A form needs a field payload"))
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
