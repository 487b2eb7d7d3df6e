// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command.Settle;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Settles claims and reports to the listener. */
final class Settlements {
    /** Stored in place of a result that the store rejects, so that the work does not run a second time. */
    static final StoredResult REJECTED = StoredResult.tombstone("the store rejected the result");

    /** The scope in events of claims that another process granted, if the store does not answer or has no such claim. */
    static final String UNKNOWN_SCOPE = "unknown";

    /** The maximum number of claims that are remembered until they are settled. */
    private static final int MAX_GRANTED = 50_000;

    private final OwnerCommands owners;
    private final Events events;
    private final boolean remembers;

    /** Claims that their callers settle by reference. */
    private final RecentClaims<Grant> granted = new RecentClaims<>(MAX_GRANTED);

    /** Claims that were settled so. */
    private final RecentSettlements settled = new RecentSettlements();

    /** @param remembers whether anybody hears of settlements */
    Settlements(OwnerCommands owners, Events events, boolean remembers) {
        this.owners = owners;
        this.events = events;
        this.remembers = remembers;
    }

    /** Remembers a claim that its caller will settle by its reference, for the events of the settlement. */
    ClaimOutcome remembered(ClaimOutcome outcome) {
        if (remembers && outcome instanceof ClaimOutcome.Granted grant) {
            Claim claim = grant.claim();
            granted.put(claim.token(), new Grant(claim.scope(), claim.attempt(), claim.granted()));
        }
        return outcome;
    }

    /** Settles a claim that may have been granted in another process. */
    CompletableFuture<Ownership> settle(
            ClaimRef ref,
            OwnerToken token,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason,
            Observed observed) {
        Grant known = granted.get(token);
        Verdict.Applied applied = known != null
                        && known.applied() != null
                        && known.applied().ref().equals(ref)
                ? known.applied()
                : null;
        return owners.settle(new Settle(ref, token, status, result, reason, applied), Duration.ZERO, null)
                .thenApply(owned -> {
                    observed.end(
                            kindOf(settledAs(status, result), owned.answer()),
                            owned.attempt(),
                            causeOf(owned.answer()));
                    if (events.hasListeners()) {
                        report(ref, token, settledAs(status, result), owned);
                    }
                    return owned.answer();
                });
    }

    /** The scope of a claim that its caller settles by reference, if this process granted it. */
    String scopeOf(OwnerToken token) {
        Grant known = granted.get(token);
        if (known != null) {
            return known.scope();
        }
        RecentSettlements.Settled earlier = settled.get(token);
        return earlier == null || earlier.scope() == null ? UNKNOWN_SCOPE : earlier.scope();
    }

    /** Reports a settlement once, although it may be sent again. */
    private void report(ClaimRef ref, OwnerToken token, Kind settledAs, OwnerCommands.Owned owned) {
        Kind kind = kindOf(settledAs, owned.answer());
        RecentSettlements.Settled earlier = settled.get(token);
        if (earlier != null && earlier.as() == kind) {
            return;
        }
        Grant grant = earlier == null ? granted.get(token) : null;
        if (grant == null) {
            String scope = earlier == null || earlier.scope() == null ? owned.scope() : earlier.scope();
            int attempt = earlier == null ? owned.attempt() : earlier.attempt();
            grant = new Grant(scope == null ? UNKNOWN_SCOPE : scope, attempt, null);
        }
        events.fire(kind, ref, grant.scope(), grant.attempt(), causeOf(owned.answer()));
        if (owned.answer() instanceof Ownership.Confirmed) {
            settled.put(token, grant.scope(), grant.attempt(), kind);
            granted.remove(token);
        }
    }

    /** @param applied the verdict that granted it; null if another process did, and once it is settled */
    private record Grant(String scope, int attempt, Verdict.@Nullable Applied applied) {}

    /** @param caller the thread that only waits for the answer, if there is one */
    CompletableFuture<Ownership> settle(
            Claim claim,
            Status status,
            @Nullable StoredResult result,
            @Nullable String reason,
            @Nullable Thread caller,
            Observed observed) {
        return owners.settle(
                        new Settle(claim.ref(), claim.token(), status, result, reason, claim.granted()),
                        claim.terms().lease(),
                        caller)
                .thenApply(owned -> {
                    observed.end(
                            kindOf(settledAs(status, result), owned.answer()),
                            claim.attempt(),
                            causeOf(owned.answer()));
                    report(claim, settledAs(status, result), owned.answer());
                    return owned.answer();
                });
    }

    /** Gives back a claim whose work was not begun. The attempt does not count. */
    CompletableFuture<Ownership> giveBack(Claim claim, Observed observed) {
        return owners.giveBack(claim).thenApply(answer -> {
            observed.end(kindOf(Kind.GIVEN_BACK, answer), claim.attempt(), causeOf(answer));
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
        events.fire(kindOf(settled, answer), claim, causeOf(answer));
    }

    private static Kind kindOf(Kind settled, Ownership answer) {
        if (answer instanceof Ownership.Lost) {
            return Kind.OWNERSHIP_LOST;
        }
        return answer instanceof Ownership.Unavailable ? Kind.SETTLEMENT_FAILED : settled;
    }

    private static @Nullable Throwable causeOf(Ownership answer) {
        return answer instanceof Ownership.Unavailable unavailable ? unavailable.cause() : null;
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
