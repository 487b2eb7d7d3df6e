// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * Shopify. The key is {@code ev_<X-Shopify-Event-Id>:<topic>}. Neither part is signed. An order that is created and paid at the
 * same time is two events with different topics and one body. So a body is one event for each known topic
 * ({@link ShopifyTopics}), and one for all unknown topics together.
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
    public Set<String> signatureHeaders() {
        return Set.of("x-shopify-hmac-sha256");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        String topic = request.headers()
                .one("X-Shopify-Topic")
                .map(text -> text.strip().toLowerCase(Locale.ROOT))
                .orElse("");
        if (!topic.matches("[a-z0-9_./-]{0,200}")) {
            throw new BadDeliveryException("The header X-Shopify-Topic must be a topic such as orders/create");
        }
        String known = ShopifyTopics.contains(topic) ? topic : "";
        return request.headers()
                .one("X-Shopify-Event-Id")
                .map(id -> EventKeys.strong("ev_" + ColonJoined.of(id, topic)).notSigned(request.digest(known)))
                .orElseThrow(() -> DeliveryJson.withoutKey("a header X-Shopify-Event-Id"));
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
