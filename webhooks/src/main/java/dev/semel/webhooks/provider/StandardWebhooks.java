// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.PublicKeys;
import dev.semel.webhooks.signature.SigningKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Standard Webhooks, and Svix, which differs only in the prefix of its headers. The key is {@code tx_<webhook-id>}, which is
 * signed. A list of signatures covers {@code id.timestamp.body}: {@code v1,} is HMAC-SHA256, {@code v1a,} is Ed25519.
 */
final class StandardWebhooks implements Provider {
    /** The names of its settings. */
    static final Set<String> SETTINGS =
            Set.of("secrets", "public_keys", "tolerance_seconds", "future_tolerance_seconds");

    private static final int MAX_SIGNATURES = 16;

    private final Signature signature;

    StandardWebhooks(ProviderConfig config) {
        SigningKeys keys = SigningKeys.of(config.secrets(), secret -> decoded("whsec_", secret));
        PublicKeys publicKeys = PublicKeys.ed25519(config.all("public_keys").stream()
                .map(key -> decoded("whpk_", key))
                .toList());
        Tolerance tolerance = config.tolerance(Duration.ofMinutes(5));
        signature = Signature.of(
                keys.isEmpty() && publicKeys.isEmpty(),
                (request, now) -> verify(request, now, keys, publicKeys, tolerance));
    }

    static byte[] decoded(String prefix, String key) {
        String base64 = key.startsWith(prefix) ? key.substring(prefix.length()) : key;
        return Encoding.BASE64
                .decode(base64)
                .orElseThrow(() -> new IllegalArgumentException(
                        "A key of Standard Webhooks must be %s followed by base64, as its sender shows it"
                                .formatted(prefix)));
    }

    private static Verification verify(
            WebhookRequest request, Instant now, SigningKeys keys, PublicKeys publicKeys, Tolerance tolerance) {
        Optional<String> id = header(request, "id");
        Optional<String> time = header(request, "timestamp");
        Optional<String> header = header(request, "signature");
        if (id.isEmpty() || time.isEmpty() || header.isEmpty()) {
            return Verification.MISSING;
        }
        byte[] before = (id.get() + "." + time.get() + ".").getBytes(StandardCharsets.UTF_8);
        List<String> given = List.of(header.get().split(" ", MAX_SIGNATURES));
        boolean matches = given.stream()
                        .anyMatch(text -> text.startsWith("v1,")
                                && Encoding.BASE64
                                        .decode(text.substring(3))
                                        .filter(one -> keys.verify(Hmac.SHA256, one, before, request.body()))
                                        .isPresent())
                || given.stream()
                        .anyMatch(text -> text.startsWith("v1a,")
                                && Encoding.BASE64
                                        .decode(text.substring(4))
                                        .filter(one -> publicKeys.verify(one, before, request.body()))
                                        .isPresent());
        if (!matches) {
            return Verification.WRONG;
        }
        return tolerance.allows(time.get(), now) ? Verification.VERIFIED : Verification.OUT_OF_TIME;
    }

    private static Optional<String> header(WebhookRequest request, String name) {
        return request.headers().oneOf("webhook-" + name, "svix-" + name);
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("webhook-signature", "svix-signature");
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return header(request, "id")
                .map(id -> EventKeys.strong("tx_" + id))
                .orElseThrow(() -> DeliveryJson.withoutKey("a header webhook-id"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(4);
    }

    @Override
    public Duration answerWithin() {
        return Duration.ofSeconds(15);
    }
}
