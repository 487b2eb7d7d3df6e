// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.Terms;
import dev.semel.internal.Futures;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The commands of a claim's owner: settle, renew, give back. Each carries the owner's token and is refused without it. */
final class OwnerCommands {
    private final StoreGateway gateway;
    private final Duration storeTimeout;

    OwnerCommands(StoreGateway gateway, Duration storeTimeout) {
        this.gateway = gateway;
        this.storeTimeout = storeTimeout;
    }

    /** Point 7 of the protocol. The answer comes within the store timeout; the attempt goes on while the lease may last. */
    CompletableFuture<Owned> settle(Command.Settle command, Duration keepTrying, @Nullable Thread caller) {
        Duration trying = atLeastStoreTimeout(keepTrying);
        CompletableFuture<Verdict> sent = gateway.submit(command, trying, caller);
        if (command.result() == null) {
            return owned(sent, storeTimeout);
        }
        // On the attempt, not on its bounded answer: a rejection that arrives late must not lead to a second run.
        CompletableFuture<Verdict> settled = sent.exceptionallyCompose(failure -> isRejected(failure)
                ? gateway.submit(rejected(command), trying, null)
                : CompletableFuture.failedFuture(failure));
        return owned(settled, storeTimeout);
    }

    private static Command.Settle rejected(Command.Settle command) {
        return new Command.Settle(
                command.ref(),
                command.expected(),
                command.status(),
                Settlements.REJECTED,
                command.reason(),
                command.granted());
    }

    private static boolean isRejected(Throwable failure) {
        return Futures.unwrapped(failure) instanceof StoreException known
                && known.kind() == StoreException.Kind.REJECTED;
    }

    /** Renews a lease. Gives up within a third of the lease, so that there is time for another try before it ends. */
    CompletableFuture<Ownership> renew(ClaimRef ref, OwnerToken token, Duration lease) {
        Duration third = lease.dividedBy(3);
        Duration bound = third.isZero() || third.compareTo(storeTimeout) > 0 ? storeTimeout : third;
        return owned(gateway.submit(new Command.Renew(ref, token, lease), bound, null), bound)
                .thenApply(Owned::answer);
    }

    /** Gives back a claim that was granted and whose work was not begun. The attempt does not count. */
    CompletableFuture<Ownership> giveBack(Claim claim) {
        return owned(sendBack(claim.ref(), claim.token(), claim.origin(), claim.terms()), storeTimeout)
                .thenApply(Owned::answer);
    }

    /**
     * Sends a claim back, for as long as its lease may last, because no other caller can have it until then. Nothing ran
     * in this attempt, but an earlier one whose owner disappeared may have had its effect, so the stale policy is kept.
     */
    RetriedCall<Verdict> sendBack(ClaimRef ref, OwnerToken token, Claim.Origin origin, Terms terms) {
        StalePolicy policy = switch (origin) {
            case FIRST, RETRY -> null;
            case LAPSED -> StalePolicy.RERUN;
            case RECONCILE -> StalePolicy.RECONCILE;
        };
        Command command = new Command.GiveBack(
                ref, token, new OwnerToken(gateway.environment().randomBytes(OwnerToken.LENGTH)), policy);
        return gateway.submit(command, atLeastStoreTimeout(terms.lease()), null);
    }

    private Duration atLeastStoreTimeout(Duration wanted) {
        return wanted.compareTo(storeTimeout) > 0 ? wanted : storeTimeout;
    }

    /** Whether this token still owns the claim, by the store's clock. False if the store does not answer. */
    CompletableFuture<Boolean> stillOwns(ClaimRef ref, OwnerToken token) {
        return gateway.answeredWithin(storeTimeout, gateway.read(ref, storeTimeout, null))
                .thenApply(found -> found.filter(claim -> claim.token().equals(token)
                                && !claim.leaseLeft().isZero())
                        .isPresent())
                .exceptionally(unknown -> false);
    }

    /**
     * An answer to a command of the owner.
     *
     * @param scope the claim's scope; null if the store did not answer or there is no claim
     * @param attempt the claim's attempt; 0 if it is not known
     */
    record Owned(Ownership answer, @Nullable String scope, int attempt) {}

    private CompletableFuture<Owned> owned(CompletableFuture<Verdict> sent, Duration bound) {
        return gateway.answeredWithin(bound, sent).handle((verdict, failure) -> {
            if (failure != null) {
                Throwable cause = Futures.unwrapped(failure);
                return new Owned(new Ownership.Unavailable(StoreGateway.messageOf(cause), cause), null, 0);
            }
            if (verdict instanceof Verdict.Applied applied) {
                return new Owned(new Ownership.Confirmed(applied.leaseLeft()), applied.scope(), applied.attempt());
            }
            Snapshot claim = ((Verdict.Refused) verdict).claim();
            return new Owned(new Ownership.Lost(whyLost(claim)), claim == null ? null : claim.scope(), 0);
        });
    }

    private static String whyLost(@Nullable Snapshot claim) {
        if (claim == null) {
            return "the claim is gone";
        }
        return claim.status() == Status.IN_PROGRESS
                ? "another attempt (%d) owns the claim".formatted(claim.attempt())
                : "the claim is %s".formatted(claim.status());
    }
}
