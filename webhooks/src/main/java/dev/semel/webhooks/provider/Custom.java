// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonPointer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A sender that is described by settings: its signature ({@link CustomSignature}), and where keys, items and payments
 * ({@link CustomPayment}) are found. If no configured key is present, an id at the top of the document is used, then a
 * digest of the payload.
 */
final class Custom implements Provider {
    /** The names of its settings. */
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
    private final String signatureHeader;
    private final List<String> keys;
    private final Optional<JsonPointer> items;
    private final SignedContent content;
    /** Whether some of the keys are headers that the signature does not cover. */
    private final boolean unsignedKeys;

    private final EventIds.Fallback fallback;
    private final CustomPayment payment;
    private final Duration ttl;
    private final Duration answerWithin;

    Custom(ProviderConfig config) {
        signature = CustomSignature.of(config);
        signatureHeader = config.one("signature.header")
                .orElse(CustomSignature.DEFAULT_HEADER)
                .toLowerCase(Locale.ROOT);
        keys = config.all("key");
        keys.stream().filter(key -> !key.startsWith(HEADER)).forEach(JsonPointer::of);
        items = config.one("items").map(JsonPointer::of);
        content = CustomSignature.content(config);
        unsignedKeys = keys.stream()
                .anyMatch(key -> key.startsWith(HEADER) && !content.covers(key.substring(HEADER.length())));
        fallback = fallback(config, signatureHeader, signature != Signature.NONE, content);
        payment = CustomPayment.of(config);
        ttl = config.seconds("ttl_seconds").orElse(Duration.ofDays(1));
        answerWithin = config.seconds("answer_within_seconds").orElse(Duration.ofSeconds(10));
    }

    /** Refuses and ignores what an attacker could change: unsigned timestamps, and signatures with several valid forms. */
    private static EventIds.Fallback fallback(
            ProviderConfig config, String header, boolean verifies, SignedContent content) {
        Optional<String> time = config.one("signature.timestamp_header")
                .or(() -> Optional.of("X-Timestamp"))
                .filter(name -> !verifies || content.covers(name));
        EventIds.Fallback fallback = EventIds.Fallback.of(config, header, time);
        if (fallback.withSignature() && config.one("signature.algorithm").equals(Optional.of("ecdsa-sha256"))) {
            throw new IllegalArgumentException(
                    "fallback must be payload with ecdsa-sha256: a second valid signature can be made from each one");
        }
        return fallback;
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of(signatureHeader);
    }

    @Override
    public List<Fragment> split(WebhookRequest request) {
        Json delivery = DeliveryJson.of(request);
        if (items.isEmpty()) {
            return List.of(Fragment.whole(delivery, request.body()));
        }
        List<String> path = items.get().tokens();
        if (!(DeliveryJson.at(delivery, path).orElse(null) instanceof JsonArray events)) {
            throw new BadDeliveryException("An array is required at " + items.get());
        }
        return Excerpts.ofArray(request, delivery, path, events.elements());
    }

    /**
     * The first configured key that is present. An attacker with a captured delivery can change or remove a header that is not
     * signed, so the signed content then backs the key. The same holds if the ends of the signed parts are ambiguous.
     */
    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        EventKeys found = found(request, event);
        return unsignedKeys || content.isAmbiguous() ? found.notSigned(content.digest(request, !unsignedKeys)) : found;
    }

    private EventKeys found(WebhookRequest request, Json event) {
        for (String key : keys) {
            boolean header = key.startsWith(HEADER);
            Optional<String> id = header
                    ? request.headers().one(key.substring(HEADER.length()))
                    : DeliveryJson.text(event, JsonPointer.of(key));
            if (id.isPresent()) {
                // A header identifies the delivery, so all of its items share the key.
                return header && items.isPresent()
                        ? EventKeys.weak("ev_" + id.get())
                        : EventKeys.strong("ev_" + id.get());
            }
        }
        return EventIds.idOrDigest(request, event, fallback);
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
