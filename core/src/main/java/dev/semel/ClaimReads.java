// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.internal.Futures;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads claims without claiming anything. Fails if the store does not answer in time. */
final class ClaimReads {
    private final StoreGateway gateway;
    private final Duration storeTimeout;
    private final OmittedResults omittedResults;

    ClaimReads(StoreGateway gateway, Duration storeTimeout, OmittedResults omittedResults) {
        this.gateway = gateway;
        this.storeTimeout = storeTimeout;
        this.omittedResults = omittedResults;
    }

    /** The claim that answers for these digests, with its result: the one that a caller with these aliases would meet. */
    CompletableFuture<Optional<Snapshot>> find(ClaimDigests digests) {
        List<CompletableFuture<Optional<Snapshot>>> reads =
                digests.refs().stream().map(this::read).toList();
        return Futures.all(reads)
                .thenApply(found -> found.stream()
                        .flatMap(Optional::stream)
                        .filter(claim -> !claim.absent())
                        .min(AliasPlan.BY_DECISIVENESS.thenComparing(Snapshot::ref)))
                .thenCompose(found -> found.isPresent() && found.get().resultOmitted()
                        ? omittedResults
                                .read(found.get(), storeTimeout)
                                .thenApply(whole -> whole.filter(claim -> !claim.absent()))
                        : CompletableFuture.completedFuture(found));
    }

    /** The time left of the owner's lease, or nothing if the claim is not in progress. */
    CompletableFuture<Optional<Duration>> stillInProgress(ClaimRef ref) {
        return read(ref)
                .thenApply(found -> found.filter(claim -> claim.status() == Status.IN_PROGRESS && !claim.lapsed())
                        .map(Snapshot::leaseLeft));
    }

    private CompletableFuture<Optional<Snapshot>> read(ClaimRef ref) {
        return gateway.answeredWithin(storeTimeout, gateway.read(ref, storeTimeout, null));
    }
}
