// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.content.json.JsonArray;
import dev.semel.content.json.JsonPointer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Any other sender, wholly by settings: where its signature is and over what ({@link CustomSignature}), where keys, items
 * and payments stand ({@link CustomPayment}). Without a key found, a flat id, then the payload's digest.
 */
final class Custom implements Provider {
    /** The settings that it has. */
    static final Set<String> SETTINGS = Set.of(
            "secrets",
            "public_keys",
            "tolerance_seconds",
            "future_tolerance_seconds",
            "url",
            "signature.header",
            "signature.algorithm",
            "signature.encoding",
            "signature.prefix",
            "signature.content",
            "signature.timestamp_header",
            "key",
            "items",
            "fallback",
            "ttl_seconds",
            "answer_within_seconds",
            "payment.when",
            "payment.transaction",
            "payment.order",
            "payment.amount",
            "payment.phone",
            "payment.region");

    private static final String HEADER = "header:";

    private final Signature signature;
    private final List<String> keys;
    private final Optional<JsonPointer> items;
    private final Ids.Fallback fallback;
    private final CustomPayment payment;
    private final Duration ttl;
    private final Duration answerWithin;

    Custom(ProviderConfig config) {
        signature = CustomSignature.of(config);
        keys = config.all("key");
        keys.stream().filter(key -> !key.startsWith(HEADER)).forEach(JsonPointer::of);
        items = config.one("items").map(JsonPointer::of);
        fallback = Ids.Fallback.of(
                config,
                config.one("signature.header").orElse(CustomSignature.DEFAULT_HEADER),
                config.one("signature.timestamp_header").orElse("X-Timestamp"));
        payment = CustomPayment.of(config);
        ttl = config.seconds("ttl_seconds").orElse(Duration.ofDays(1));
        answerWithin = config.seconds("answer_within_seconds").orElse(Duration.ofSeconds(10));
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json delivery = Documents.of(request);
        if (items.isEmpty()) {
            return List.of(new Fragment(delivery, request.body()));
        }
        List<String> path = items.get().tokens();
        if (!(Documents.at(delivery, path).orElse(null) instanceof JsonArray events)) {
            throw new BadDeliveryException("A delivery needs an array at " + items.get());
        }
        List<Fragment> fragments = new ArrayList<>();
        for (int i = 0; i < events.elements().size(); i++) {
            List<String> tokens = new ArrayList<>(path);
            tokens.add("" + i);
            byte[] payload = events.elements().size() == 1 ? request.body() : Excerpt.of(delivery, tokens, Set.of());
            fragments.add(new Fragment(events.elements().get(i), payload));
        }
        return fragments;
    }

    /**
     * The first of the configured places that has one. Headers are taken for unsigned, as they mostly are; and they name a
     * delivery, so that all of its items have the same.
     */
    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        for (String key : keys) {
            boolean header = key.startsWith(HEADER);
            Optional<String> id = header
                    ? request.headers().one(key.substring(HEADER.length()))
                    : Documents.text(event, JsonPointer.of(key));
            if (id.isPresent() && header) {
                String found = "ev_" + id.get();
                return (items.isEmpty() ? EventKeys.strong(found) : EventKeys.weak(found)).notSigned();
            }
            if (id.isPresent()) {
                return EventKeys.strong("ev_" + id.get());
            }
        }
        return Ids.flatOrDigest(request, event, fallback);
    }

    @Override
    public Optional<Payment> payment(WebhookRequest request, Json event) {
        return payment.in(event);
    }

    @Override
    public Duration ttl() {
        return ttl;
    }

    @Override
    public Duration answerWithin() {
        return answerWithin;
    }
}
