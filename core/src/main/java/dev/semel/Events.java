// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the user's listener, and does not let it do harm. */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);

    private final ClaimListener listener;

    Events(ClaimListener listener) {
        this.listener = listener;
    }

    void fire(ClaimEvent.Kind kind, ClaimRef ref, String scope, int attempt, @Nullable Throwable cause) {
        try {
            listener.onClaim(new ClaimEvent(kind, ref, scope, attempt, cause));
        } catch (RuntimeException | Error e) {
            LOG.warn(
                    "A claim listener threw {}; the claim goes on", e.getClass().getName(), e);
        }
    }

    void fire(ClaimEvent.Kind kind, Claim claim, @Nullable Throwable cause) {
        fire(kind, claim.ref(), claim.scope(), claim.attempt(), cause);
    }

    void swept(SweepReport report) {
        try {
            listener.onSweep(report);
        } catch (RuntimeException | Error e) {
            LOG.warn(
                    "A claim listener threw {}; the sweep goes on", e.getClass().getName(), e);
        }
    }
}
