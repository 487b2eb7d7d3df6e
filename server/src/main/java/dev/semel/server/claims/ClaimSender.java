// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.spi.ClaimStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** Sends claims to the engine: one, or several in one round trip. */
public final class ClaimSender {
    private final Semel semel;
    private final ClaimStore store;
    private final Executor blocking;

    /** @param blocking runs reads that bypass the engine */
    public ClaimSender(Semel semel, ClaimStore store, Executor blocking) {
        this.semel = semel;
        this.store = store;
        this.blocking = blocking;
    }

    /** Returns which of these references have a claim, with one read. Returns none if the store is unavailable. */
    CompletionStage<Set<ClaimRef>> known(Collection<ClaimRef> places) {
        return CompletableFuture.supplyAsync(() -> store.read(Set.copyOf(places)), blocking)
                .exceptionally(unavailable -> Map.of())
                .thenApply(found -> found.entrySet().stream()
                        .filter(entry -> !entry.getValue().absent())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Returns the records that these references lead to, with one read. Fails if the store is unavailable. */
    CompletionStage<Map<ClaimRef, ClaimRef>> recordsOf(Set<ClaimRef> names) {
        return CompletableFuture.supplyAsync(() -> store.read(names), blocking)
                .thenApply(found -> found.entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, entry -> entry.getValue().ref())));
    }

    /**
     * Returns whether this token can still settle the claim. If it cannot, it never will again, and a settlement stores
     * nothing. Returns true if the store is unavailable.
     */
    CompletionStage<Boolean> isOpen(ClaimRef ref, OwnerToken token) {
        return CompletableFuture.supplyAsync(() -> store.read(List.of(ref)), blocking)
                .thenApply(found -> found.values().stream()
                        .anyMatch(claim -> claim.status() == Status.IN_PROGRESS
                                && claim.token().equals(token)))
                .exceptionally(unavailable -> true);
    }

    CompletionStage<ClaimOutcome> claim(RequestedClaim request) {
        return semel.claim(request.key(), request.fingerprint(), request.terms(), request.maxWait());
    }

    /** Claims all and returns the outcomes in order. */
    CompletionStage<List<ClaimOutcome>> claimAll(List<RequestedClaim> requests) {
        return semel.claimAll(requests.stream()
                .map(one -> new dev.semel.ClaimRequest(one.key(), one.fingerprint(), one.terms()))
                .toList());
    }

    ClaimRef refOf(RequestedClaim request) {
        return semel.refOf(request.key().key());
    }
}
