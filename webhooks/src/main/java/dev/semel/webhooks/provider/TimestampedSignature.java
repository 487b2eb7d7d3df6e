// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.HeaderPairs;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import dev.semel.webhooks.signature.Tolerance;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A signature over a timestamp and the body. */
final class TimestampedSignature {
    private TimestampedSignature() {}

    /**
     * A header of pairs with a timestamp and hexadecimal HMAC-SHA256 signatures, one of which must match.
     *
     * @param between the separator between timestamp and body in the signed content
     */
    static Signature pairs(
            SigningKeys keys,
            Tolerance tolerance,
            String header,
            String separator,
            String time,
            String version,
            String between) {
        return Signature.of(keys.isEmpty(), (request, now) -> {
            Optional<String> value = request.headers().one(header);
            if (value.isEmpty()) {
                return Verification.MISSING;
            }
            Optional<HeaderPairs> pairs = HeaderPairs.of(value.get(), separator, '=');
            Optional<String> sent = pairs.flatMap(some -> some.one(time));
            if (sent.isEmpty()) {
                return Verification.MALFORMED;
            }
            byte[] before = (sent.get() + between).getBytes(StandardCharsets.UTF_8);
            boolean matches = pairs.get().all(version).stream()
                    .flatMap(text -> Encoding.HEX.decode(text).stream())
                    .anyMatch(signature -> keys.verify(Hmac.SHA256, signature, before, request.body()));
            if (!matches) {
                return Verification.WRONG;
            }
            return tolerance.allows(sent.get(), now) ? Verification.VERIFIED : Verification.OUT_OF_TIME;
        });
    }
}
