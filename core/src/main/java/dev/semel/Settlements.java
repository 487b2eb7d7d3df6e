// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command.Settle;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Settles claims and reports to the listener. */
final class Settlements {
    /** Stored in place of a result that the store rejects, so that the work does not run a second time. */
    static final StoredResult REJECTED = StoredResult.tombstone("the store rejected the result");

    private final OwnerCommands owners;
    private final Events events;

    Settlements(OwnerCommands owners, Events events) {
        this.owners = owners;
        this.events = events;
    }

    /** @param caller the thread that only waits for the answer, if there is one */
    CompletableFuture<Ownership> settle(
            Claim claim,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason,
            @Nullable Thread caller) {
        return owners.settle(
                        claim.ref(),
                        claim.token(),
                        status,
                        result,
                        reason,
                        claim.terms().lease(),
                        caller)
                .thenApply(answer -> {
                    report(claim, settledAs(status, result), answer);
                    return answer;
                });
    }

    /** Gives back a claim whose work was not begun. The attempt does not count. */
    CompletableFuture<Ownership> giveBack(Claim claim) {
        return owners.giveBack(claim).thenApply(answer -> {
            if (answer instanceof Ownership.Confirmed) {
                events.fire(Kind.GIVEN_BACK, claim, null);
            }
            return answer;
        });
    }

    /** The stored form of a result. One that cannot be encoded becomes a tombstone, so that the work does not run again. */
    static <V extends @Nullable Object> StoredResult encoded(Encoding<V> encoding, V value) {
        try {
            return encoding.encode(value);
        } catch (Exception | Error e) {
            return StoredResult.tombstone(
                    "the result could not be encoded: " + e.getClass().getName());
        }
    }

    /** A reason that the store accepts: a long class name or a line break must not keep a claim open. */
    static String reason(String text) {
        String cut = text.length() > Settle.MAX_REASON ? text.substring(0, Settle.MAX_REASON) : text;
        String clean = cut.replaceAll("[\\p{Cc}\\p{Cs}]", " ");
        return clean.isEmpty() ? "no reason was given" : clean;
    }

    private void report(Claim claim, Kind settled, Ownership answer) {
        if (answer instanceof Ownership.Lost) {
            events.fire(Kind.OWNERSHIP_LOST, claim, null);
        } else if (answer instanceof Ownership.Unavailable unavailable) {
            events.fire(Kind.SETTLEMENT_FAILED, claim, unavailable.cause());
        } else {
            events.fire(settled, claim, null);
        }
    }

    private static Kind settledAs(Status status, @Nullable StoredResult result) {
        return switch (status) {
            case SUCCEEDED -> Kind.SUCCEEDED;
            case FAILED -> Rejection.isIn(result) ? Kind.REJECTED : Kind.FAILED;
            case RETRYABLE -> Kind.FAILED_RETRYABLY;
            case UNKNOWN -> Kind.PARKED;
            case IN_PROGRESS -> throw new IllegalArgumentException("A claim cannot be settled as IN_PROGRESS");
        };
    }

    /** Makes the stored form of a value, and may fail. */
    interface Encoding<V extends @Nullable Object> {
        StoredResult encode(V value) throws Exception;
    }
}
