// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.key.Composed;
import dev.semel.webhooks.provider.WebhookRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Remembers which body came under a signed transmission id, where the signature itself binds the body too loosely: the
 * first is bound, by its SHA-256, and another under the same id is refused.
 */
final class Transmissions {
    /** Whether a body is its transmission's. */
    enum Bound {
        YES,
        NO,
        UNKNOWN
    }

    private final Semel semel;
    private final String scope;
    private final Terms terms;

    Transmissions(Semel semel, String provider, Terms terms) {
        this.semel = semel;
        this.scope = Composed.of("webhook-transmission", provider);
        this.terms = terms;
    }

    CompletionStage<Bound> bind(WebhookRequest request, String transmission) {
        ClaimKey key;
        try {
            key = new ClaimKey(request.tenant(), scope, transmission);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(Bound.NO);
        }
        return semel.claim(key, Fingerprint.of(request.body()), terms, Duration.ZERO)
                .thenCompose(outcome -> {
                    if (outcome instanceof ClaimOutcome.Granted granted) {
                        // Settled or not, from now on the row answers another body with a mismatch.
                        return semel.settle(granted.claim(), Status.SUCCEEDED, null, null)
                                .thenApply(done -> Bound.YES);
                    }
                    return CompletableFuture.completedFuture(bound(outcome));
                });
    }

    private static Bound bound(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return Bound.NO;
        }
        return outcome instanceof ClaimOutcome.Unavailable ? Bound.UNKNOWN : Bound.YES;
    }
}
