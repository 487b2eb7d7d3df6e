// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports claims that are made in a store's own transactions, as {@link Semel} reports its own. An exception of a listener is
 * logged and changes nothing. For authors of stores.
 */
public final class TransactionEvents {
    /** Reports to nobody. */
    public static final TransactionEvents NONE = new TransactionEvents(List.of());

    private final Events events;

    public TransactionEvents(List<ClaimListener> listeners) {
        this.events = new Events(listeners);
    }

    public boolean hasListeners() {
        return events.hasListeners();
    }

    /**
     * Reports the answer to a caller: the claim and its settlement if its work ran, otherwise what the caller received.
     *
     * @param attempt the attempt in which the work ran; 0 or 1 for the first
     */
    public void answered(Operation<?> operation, ClaimRef ref, int attempt, Outcome<?> outcome) {
        Kind settlement = settlementOf(outcome);
        if (settlement == null) {
            events.fire(kindOf(outcome), ref, operation.scope(), 0, causeOf(outcome));
            return;
        }
        int run = Math.max(1, attempt);
        events.granted(run > 1 ? Kind.RETRIED : Kind.GRANTED, ref, operation.scope(), run, operation.terms());
        events.fire(settlement, ref, operation.scope(), run, causeOf(outcome));
    }

    /** Reports the answer to a caller that waited for the write of an equal one and received its outcome. */
    public void shared(String scope, ClaimRef ref, Outcome<?> outcome) {
        boolean settled = outcome instanceof Outcome.Retryable || outcome instanceof Outcome.Unsettled;
        events.fire(settled ? Kind.UNAVAILABLE : kindOf(outcome), ref, scope, 0, causeOf(outcome));
    }

    /** Reports a call of the store. */
    public void called(StoreCall call) {
        events.called(call);
    }

    /** How the caller's own work was settled; null if it did not run. */
    private static @Nullable Kind settlementOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Retryable) {
            return Kind.FAILED_RETRYABLY;
        }
        if (outcome.isReplayed()) {
            return null;
        }
        if (outcome instanceof Outcome.Succeeded) {
            return Kind.SUCCEEDED;
        }
        if (outcome instanceof Outcome.Rejected) {
            return Kind.REJECTED;
        }
        if (outcome instanceof Outcome.Failed) {
            return Kind.FAILED;
        }
        return outcome instanceof Outcome.Unknown<?> unknown && unknown.cause() != null ? Kind.PARKED : null;
    }

    private static Kind kindOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Succeeded || outcome instanceof Outcome.Tombstone) {
            return Kind.REPLAYED;
        }
        if (outcome instanceof Outcome.Rejected) {
            return Kind.REJECTION_REPLAYED;
        }
        if (outcome instanceof Outcome.Failed) {
            return Kind.FAILURE_REPLAYED;
        }
        if (outcome instanceof Outcome.InProgress) {
            return Kind.IN_PROGRESS;
        }
        if (outcome instanceof Outcome.Mismatch) {
            return Kind.MISMATCH;
        }
        if (outcome instanceof Outcome.Unknown) {
            return Kind.UNKNOWN;
        }
        return outcome instanceof Outcome.Unsettled ? Kind.SETTLEMENT_FAILED : Kind.UNAVAILABLE;
    }

    private static @Nullable Throwable causeOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.cause();
        }
        if (outcome instanceof Outcome.Unavailable<?> unavailable) {
            return unavailable.cause();
        }
        return outcome instanceof Outcome.Unknown<?> unknown ? unknown.cause() : null;
    }
}
