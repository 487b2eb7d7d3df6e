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
 * Remembers which body came under a signed transmission, where the signature itself binds the body too loosely: the first
 * is bound, by its SHA-256, and another is refused. The address says whose delivery it is, and no signature covers that,
 * so the binding holds for all tenants and all names of a provider. It is a claim of a tenant that nobody else can name.
 */
final class TransmissionBindings {
    private static final String SCOPE = "webhook-transmission";

    /** Whether a body is its transmission's. */
    enum Bound {
        YES,
        NO,
        /** The binding could not be stored. */
        UNKNOWN
    }

    private final Semel semel;
    private final Terms terms;

    TransmissionBindings(Semel semel, Terms terms) {
        this.semel = semel;
        this.terms = terms;
    }

    /** @param deadline until when another delivery that binds the same may be waited for, by {@link System#nanoTime()} */
    CompletionStage<Bound> bind(Transmission transmission, byte[] body, long deadline) {
        ClaimKey key;
        try {
            key = new ClaimKey(WebhookGate.RESERVED_TENANT, SCOPE, transmission.id());
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(Bound.NO);
        }
        Duration patience = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        return semel.claim(key, Fingerprint.of(body), terms.withTtl(transmission.keep()), patience)
                .thenCompose(outcome -> {
                    if (outcome instanceof ClaimOutcome.Granted granted) {
                        return semel.settle(granted.claim(), Status.SUCCEEDED, null, null)
                                .thenApply(owner -> owner instanceof Ownership.Confirmed ? Bound.YES : Bound.UNKNOWN);
                    }
                    return CompletableFuture.completedFuture(bound(outcome));
                });
    }

    private static Bound bound(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return Bound.NO;
        }
        return outcome instanceof ClaimOutcome.Succeeded ? Bound.YES : Bound.UNKNOWN;
    }
}
