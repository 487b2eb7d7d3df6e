// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.key.Composed;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.time.Duration;

/**
 * Shopify: {@code ev_<X-Shopify-Event-Id>:<topic>}. Neither is signed, and an order that is created and paid at once is
 * two topics with one body.
 */
final class Shopify implements Provider {
    private final Signature signature;

    Shopify(ProviderConfig config) {
        signature = Signature.ofBody(config.keys(), Hmac.SHA256, "X-Shopify-Hmac-Sha256", "", Encoding.BASE64);
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        String topic = request.headers().one("X-Shopify-Topic").orElse("");
        return request.headers()
                .one("X-Shopify-Event-Id")
                .map(id -> EventKeys.strong("ev_" + Composed.of(id, topic)).notSigned(topic))
                .orElseThrow(() -> Documents.withoutKey("a header X-Shopify-Event-Id"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(2);
    }

    @Override
    public Duration answerWithin() {
        return Duration.ofSeconds(5);
    }
}
