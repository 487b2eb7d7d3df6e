// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import dev.semel.webhooks.signature.Encoding;
import dev.semel.webhooks.signature.Hmac;
import dev.semel.webhooks.signature.SigningKeys;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Says whether a delivery is its sender's, from its raw bytes. Never fails: what cannot be read is refused. */
public interface Signature {
    CompletionStage<Verification> verify(WebhookRequest request, Instant now);

    /** A check that needs nothing but the delivery. */
    interface Check {
        Verification of(WebhookRequest request, Instant now);
    }

    /** Nothing is checked. */
    Signature NONE = (request, now) -> CompletableFuture.completedFuture(Verification.UNSIGNED);

    /**
     * A check that needs secrets: without any, nobody can tell.
     *
     * @param without whether there are none
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

    /** The most common scheme: one header with a hash of the body, behind a fixed prefix that may be empty. */
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
                    .map(signature -> Verification.of(keys.sign(hmac, signature, request.body())))
                    .orElse(Verification.MALFORMED);
        });
    }
}
