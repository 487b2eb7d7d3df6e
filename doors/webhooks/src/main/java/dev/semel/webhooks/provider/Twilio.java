// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.content.json.Json;
import dev.semel.key.Composed;
import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Twilio: {@code tx_<I-Twilio-Idempotency-Token>}, which is not signed, else {@code ev_<MessageSid>:<MessageStatus>}. The
 * signature is over the URL and the sorted fields of a form; for other bodies their SHA-256 stands in the URL.
 */
final class Twilio implements Provider {
    private final Signature signature;

    Twilio(ProviderConfig config) {
        SigningKeys keys = config.keys();
        PublicUrl url = PublicUrl.of(config);
        signature = Signature.of(keys.isEmpty(), (request, now) -> verify(request, url.of(request), keys));
    }

    private static Verification verify(WebhookRequest request, String url, SigningKeys keys) {
        Optional<String> header = request.headers().one("X-Twilio-Signature");
        if (header.isEmpty()) {
            return Verification.MISSING;
        }
        Optional<byte[]> given = Encoding.BASE64.decode(header.get());
        if (given.isEmpty()) {
            return Verification.MALFORMED;
        }
        Optional<String> bodyHash = Query.of(url).one("bodySHA256");
        String signed = bodyHash.isPresent() ? url : url + fields(request);
        boolean bodyRight = bodyHash.isEmpty()
                || MessageDigest.isEqual(
                        Ids.sha256(request.body()).getBytes(StandardCharsets.US_ASCII),
                        bodyHash.get().getBytes(StandardCharsets.US_ASCII));
        return Verification.of(keys.sign(Hmac.SHA1, given.get(), signed.getBytes(StandardCharsets.UTF_8)) && bodyRight);
    }

    private static String fields(WebhookRequest request) {
        StringBuilder text = new StringBuilder();
        Form.read(request.body())
                .forEach((name, values) ->
                        new TreeSet<>(values).forEach(value -> text.append(name).append(value)));
        return text.toString();
    }

    @Override
    public Signature signature() {
        return signature;
    }

    @Override
    public EventKeys keys(WebhookRequest request, Json event) {
        Optional<EventKeys> token = request.headers()
                .one("I-Twilio-Idempotency-Token")
                .map(id -> EventKeys.strong("tx_" + id).notSigned());
        return token.or(() -> Documents.text(event, "MessageSid")
                        .map(id -> EventKeys.strong("ev_"
                                + Composed.of(
                                        id,
                                        Documents.text(event, "MessageStatus").orElse("")))))
                .orElseThrow(() -> Documents.withoutKey("a header I-Twilio-Idempotency-Token, or a MessageSid"));
    }

    @Override
    public Duration ttl() {
        return Duration.ofDays(1);
    }
}
