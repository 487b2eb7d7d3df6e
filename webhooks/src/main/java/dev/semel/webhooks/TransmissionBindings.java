// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.ClaimOutcome;
import dev.semel.Ownership;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.webhooks.provider.Verification.Transmission;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Binds the first body of a signed transmission to it, where the signature covers only a weak checksum of the body. A second
 * body under the same transmission is refused. Bodies are compared by SHA-256.
 *
 * <p>The tenant is part of the address, which no signature covers. So a binding holds for all tenants and all names of a
 * provider: it is a claim of {@link WebhookGate#RESERVED_TENANT}.
 */
final class TransmissionBindings {
    private static final String SCOPE = "webhook-transmission";

    /** Whether a body belongs to its transmission. */
    enum Binding {
        BOUND,
        /** Another body was bound before, or the transmission's id is unusable. */
        REFUSED,
        /** The store is unavailable, or another delivery is still binding. */
        UNKNOWN
    }

    private final Semel semel;
    private final Terms terms;

    TransmissionBindings(Semel semel, Terms terms) {
        this.semel = semel;
        this.terms = terms;
    }

    /**
     * Binds the body to the transmission, unless another body is bound to it.
     *
     * @param deadline until when to wait for another delivery that is binding, by {@link System#nanoTime()}
     */
    CompletionStage<Binding> bind(Transmission transmission, byte[] body, long deadline) {
        ClaimKey key;
        try {
            key = new ClaimKey(WebhookGate.RESERVED_TENANT, SCOPE, transmission.id());
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(Binding.REFUSED);
        }
        Duration maxWait = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        return semel.claim(key, Fingerprint.of(body), terms.withTtl(transmission.keep()), maxWait)
                .thenCompose(outcome -> {
                    if (outcome instanceof ClaimOutcome.Granted granted) {
                        return semel.settle(granted.claim(), Status.SUCCEEDED, null, null)
                                .thenApply(owner ->
                                        owner instanceof Ownership.Confirmed ? Binding.BOUND : Binding.UNKNOWN);
                    }
                    return CompletableFuture.completedFuture(bound(outcome));
                });
    }

    private static Binding bound(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return Binding.REFUSED;
        }
        return outcome instanceof ClaimOutcome.Succeeded ? Binding.BOUND : Binding.UNKNOWN;
    }
}
