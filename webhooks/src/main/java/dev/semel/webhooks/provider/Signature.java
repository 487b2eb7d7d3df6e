// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Verifies the signature of a delivery over its raw bytes. Never fails: an unreadable delivery is refused. */
public interface Signature {
    CompletionStage<Verification> verify(WebhookRequest request, Instant now);

    /** A check that completes at once. */
    interface Check {
        Verification of(WebhookRequest request, Instant now);
    }

    /** Verifies nothing: every delivery is {@link Verification.Unsigned}. */
    Signature NONE = (request, now) -> CompletableFuture.completedFuture(Verification.UNSIGNED);

    /**
     * A signature that is verified with secrets.
     *
     * @param without whether no secret is configured; then nothing is verified
     */
    static Signature of(boolean without, Check check) {
        if (without) {
            return NONE;
        }
        return (request, now) -> {
            try {
                return CompletableFuture.completedFuture(check.of(request, now));
            } catch (RuntimeException e) {
                return CompletableFuture.completedFuture(Verification.MALFORMED);
            }
        };
    }

    /** The most common scheme: one header with an HMAC of the body after a fixed prefix, which may be empty. */
    static Signature ofBody(SigningKeys keys, Hmac hmac, String header, String prefix, Encoding encoding) {
        return of(keys.isEmpty(), (request, now) -> {
            Optional<String> value = request.headers().one(header);
            if (value.isEmpty()) {
                return Verification.MISSING;
            }
            if (!value.get().startsWith(prefix)) {
                return Verification.MALFORMED;
            }
            return encoding.decode(value.get().substring(prefix.length()))
                    .map(signature -> Verification.of(keys.verify(hmac, signature, request.body())))
                    .orElse(Verification.MALFORMED);
        });
    }
}
