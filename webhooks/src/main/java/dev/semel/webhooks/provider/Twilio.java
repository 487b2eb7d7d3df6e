// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.claim.Fingerprint;
import dev.semel.internal.Sha256;
import dev.semel.key.ColonJoined;
import dev.semel.payload.json.Json;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Twilio. The key is {@code tx_<I-Twilio-Idempotency-Token>}, which is not signed, otherwise
 * {@code ev_<MessageSid>:<MessageStatus>}. The signature is over the URL and the sorted fields of a form. For other bodies the
 * URL contains their SHA-256.
 */
final class Twilio implements Provider {
    private final Signature signature;
    private final PublicUrl registered;

    Twilio(ProviderConfig config) {
        SigningKeys keys = config.keys();
        registered = PublicUrl.of(config);
        signature = Signature.of(keys.isEmpty(), (request, now) -> verify(request, keys));
    }

    private Verification verify(WebhookRequest request, SigningKeys keys) {
        Optional<String> header = request.headers().one("X-Twilio-Signature");
        if (header.isEmpty()) {
            return Verification.MISSING;
        }
        Optional<byte[]> given = Encoding.BASE64.decode(header.get());
        if (given.isEmpty()) {
            return Verification.MALFORMED;
        }
        Optional<String> bodyHash = bodyHash(request);
        byte[] signed = signed(request).getBytes(StandardCharsets.UTF_8);
        boolean bodyRight = bodyHash.isEmpty()
                || MessageDigest.isEqual(
                        Sha256.hex(request.body()).getBytes(StandardCharsets.US_ASCII),
                        bodyHash.get().getBytes(StandardCharsets.US_ASCII));
        return Verification.of(keys.verify(Hmac.SHA1, given.get(), signed) && bodyRight);
    }

    private Optional<String> bodyHash(WebhookRequest request) {
        return UrlQuery.of(registered.of(request)).one("bodySHA256");
    }

    /**
     * The signed text. It shows neither where names and values of fields end nor how they were encoded and ordered, so all
     * forms with the same signed text are one event.
     */
    String signed(WebhookRequest request) {
        String url = registered.of(request);
        return bodyHash(request).isPresent() ? url : url + fields(request);
    }

    /** A digest of the signed text, or of the body if it is not a valid form and so cannot be verified. */
    private Fingerprint covered(WebhookRequest request) {
        try {
            return Fingerprint.of(signed(request));
        } catch (IllegalArgumentException e) {
            return request.digest("");
        }
    }

    private static String fields(WebhookRequest request) {
        StringBuilder text = new StringBuilder();
        Form.of(request)
                .fields()
                .forEach((name, values) ->
                        new TreeSet<>(values).forEach(value -> text.append(name).append(value)));
        return text.toString();
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public Set<String> signatureHeaders() {
        return Set.of("x-twilio-signature");
    }

    /** The body is JSON or a form. */
    @Override
    public List<Fragment> split(WebhookRequest request) {
        return List.of(Fragment.whole(DeliveryJson.of(request), request.body()));
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        return request.headers()
                .one("I-Twilio-Idempotency-Token")
                .map(id -> "tx_" + id)
                .or(() -> DeliveryJson.text(event, "MessageSid")
                        .map(id -> "ev_"
                                + ColonJoined.of(
                                        id,
                                        DeliveryJson.text(event, "MessageStatus")
                                                .orElse(""))))
                .map(key -> EventKeys.strong(key).notSigned(covered(request)))
                .orElseThrow(() -> DeliveryJson.withoutKey("a header I-Twilio-Idempotency-Token, or a MessageSid"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(1);
    }
}
