// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** GitHub: {@code tx_<X-GitHub-Delivery>}, which the signature does not cover and a redelivery by hand keeps. */
final class GitHub implements Provider {
    private final Signature signature;

    GitHub(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA256, "X-Hub-Signature-256", "sha256=", Encoding.HEX);
    }

    @Override
    public Signature signature() {
        return signature;
    }

    /** Sent as a form, the document is its one field. */
    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json body = Documents.of(request);
        Json event = Documents.isForm(request)
                ? Documents.text(body, "payload")
                        .map(text -> Documents.json(text.getBytes(StandardCharsets.UTF_8)))
                        .orElseThrow(() -> new BadDeliveryException("A form needs a field payload"))
                : body;
        return List.of(new Fragment(event, request.body()));
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        String kind = request.headers().one("X-GitHub-Event").orElse("");
        return request.headers()
                .one("X-GitHub-Delivery")
                .map(id -> EventKeys.strong("tx_" + id).notSigned(kind))
                .orElseThrow(() -> Documents.withoutKey("a header X-GitHub-Delivery"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(4);
    }
}
