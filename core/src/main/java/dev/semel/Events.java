// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports to the application's listeners. An exception of a listener is logged and changes nothing. */
final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);

    private final List<ClaimListener> listeners;

    Events(List<ClaimListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    boolean hasListeners() {
        return !listeners.isEmpty();
    }

    void fire(Kind kind, ClaimRef ref, String scope, int attempt, @Nullable Throwable cause) {
        if (!listeners.isEmpty()) {
            ClaimEvent event = new ClaimEvent(kind, ref, scope, attempt, cause);
            tell(listener -> listener.onClaim(event));
        }
    }

    void fire(Kind kind, Claim claim, @Nullable Throwable cause) {
        fire(kind, claim.ref(), claim.scope(), claim.attempt(), cause);
    }

    /** Reports that two digests of a call lead to two records, once for each call. */
    void aliasConflict(ClaimCall call) {
        if (call.firstConflict()) {
            fire(Kind.ALIAS_CONFLICT, call.ref(), call.scope(), 0, null);
        }
    }

    /** Reports the answer that a caller gets to its claim. */
    void answered(ClaimCall call, ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Granted granted) {
            granted(granted.claim());
            return;
        }
        Throwable cause = outcome instanceof ClaimOutcome.Unavailable unavailable ? unavailable.cause() : null;
        fire(kindOf(outcome), call.ref(), call.scope(), 0, cause);
    }

    private void granted(Claim claim) {
        granted(grantedAs(claim.origin()), claim.ref(), claim.scope(), claim.attempt(), claim.terms());
    }

    void granted(Kind kind, ClaimRef ref, String scope, int attempt, Terms terms) {
        if (!listeners.isEmpty()) {
            ClaimEvent event =
                    new ClaimEvent(kind, ref, scope, attempt, null, terms.ttl().orElse(null));
            tell(listener -> listener.onClaim(event));
        }
    }

    private static Kind grantedAs(Claim.Origin origin) {
        return switch (origin) {
            case FIRST -> Kind.GRANTED;
            case RETRY -> Kind.RETRIED;
            case LAPSED, RECONCILE -> Kind.TAKEN_OVER;
        };
    }

    /** The event of a claim's answer. */
    static Kind kindOf(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Granted granted) {
            return grantedAs(granted.claim().origin());
        }
        if (outcome instanceof ClaimOutcome.Succeeded) {
            return Kind.REPLAYED;
        }
        if (outcome instanceof ClaimOutcome.Failed failed) {
            return Rejection.isIn(failed.result()) ? Kind.REJECTION_REPLAYED : Kind.FAILURE_REPLAYED;
        }
        if (outcome instanceof ClaimOutcome.InProgress) {
            return Kind.IN_PROGRESS;
        }
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return Kind.MISMATCH;
        }
        return outcome instanceof ClaimOutcome.Unknown ? Kind.UNKNOWN : Kind.UNAVAILABLE;
    }

    void swept(SweepReport report) {
        tell(listener -> listener.onSweep(report));
    }

    void called(StoreCall call) {
        tell(listener -> listener.onStoreCall(call));
    }

    private void tell(Consumer<ClaimListener> what) {
        for (ClaimListener listener : listeners) {
            try {
                what.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.warn(
                        "Claim listener threw {}; claims are not affected",
                        e.getClass().getName(),
                        e);
            }
        }
    }
}
