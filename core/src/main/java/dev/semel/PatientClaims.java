// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Claims that wait for a running owner: by reading, ever less often, holding neither a thread nor a connection in
 * between. Reports the answer that the caller gets, and only that one.
 */
final class PatientClaims {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Claims claims;
    private final Pauses pauses;
    private final Events events;

    PatientClaims(Claims claims, Pauses pauses, Events events) {
        this.claims = claims;
        this.pauses = pauses;
        this.events = events;
    }

    CompletableFuture<ClaimOutcome> claim(
            Names names, String scope, Fingerprint fingerprint, Terms terms, Duration patience) {
        AtomicBoolean told = new AtomicBoolean();
        Runnable onConflict = () -> {
            if (told.compareAndSet(false, true)) {
                events.fire(Kind.ALIAS_CONFLICT, names.ref(), scope, 0, null);
            }
        };
        Wanted wanted =
                new Wanted(names, scope, fingerprint, terms, onConflict, System.nanoTime() + patience.toNanos());
        return claim(wanted).thenApply(outcome -> {
            report(wanted, outcome);
            return outcome;
        });
    }

    private CompletableFuture<ClaimOutcome> claim(Wanted wanted) {
        return claims.claim(wanted.names(), wanted.scope(), wanted.fingerprint(), wanted.terms(), wanted.onConflict())
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.InProgress running
                        ? await(wanted, running, FIRST_PAUSE)
                        : CompletableFuture.completedFuture(outcome));
    }

    private CompletableFuture<ClaimOutcome> await(Wanted wanted, ClaimOutcome.InProgress running, Duration pause) {
        long left = wanted.deadline() - System.nanoTime();
        if (left <= 0) {
            return CompletableFuture.completedFuture(running);
        }
        long jittered = ThreadLocalRandom.current().nextLong(pause.toNanos() / 2, pause.toNanos() + 1);
        Duration next = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        return pauses.after(Math.min(jittered, left))
                .thenCompose(due -> due ? askAgain(wanted, running, next) : CompletableFuture.completedFuture(running));
    }

    private CompletableFuture<ClaimOutcome> askAgain(Wanted wanted, ClaimOutcome.InProgress running, Duration pause) {
        return claims.stillInProgress(wanted.names().ref())
                // A store that does not answer is no news about the owner: go on waiting.
                .exceptionally(silent -> true)
                .thenCompose(still -> still ? await(wanted, running, pause) : claim(wanted));
    }

    private void report(Wanted wanted, ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Granted granted) {
            events.fire(grantedAs(granted.claim().origin()), granted.claim(), null);
            return;
        }
        Throwable cause = outcome instanceof ClaimOutcome.Unavailable unavailable ? unavailable.cause() : null;
        events.fire(answeredAs(outcome), wanted.names().ref(), wanted.scope(), 0, cause);
    }

    private static Kind grantedAs(Claim.Origin origin) {
        return switch (origin) {
            case FIRST -> Kind.GRANTED;
            case RETRY -> Kind.RETRIED;
            case LAPSED, RECONCILE -> Kind.TAKEN_OVER;
        };
    }

    private static Kind answeredAs(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded) {
            return Kind.REPLAYED;
        }
        if (outcome instanceof ClaimOutcome.Failed) {
            return Kind.FAILURE_REPLAYED;
        }
        if (outcome instanceof ClaimOutcome.InProgress) {
            return Kind.IN_PROGRESS;
        }
        if (outcome instanceof ClaimOutcome.Mismatch) {
            return Kind.MISMATCH;
        }
        return outcome instanceof ClaimOutcome.Unknown ? Kind.UNKNOWN : Kind.UNAVAILABLE;
    }

    private record Wanted(
            Names names, String scope, Fingerprint fingerprint, Terms terms, Runnable onConflict, long deadline) {}
}
