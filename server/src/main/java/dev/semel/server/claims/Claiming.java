// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Sends claims to the engine: one, or many at once. */
public final class Claiming {
    private final Semel semel;

    public Claiming(Semel semel) {
        this.semel = semel;
    }

    CompletionStage<ClaimOutcome> claim(ClaimRequest request) {
        return semel.claim(request.key(), request.fingerprint(), request.terms(), request.patience());
    }

    /**
     * All of them, answered in order. They go one by one into the engine's lanes, which put together what comes together;
     * the place for one call of the engine once it has one for many.
     */
    CompletionStage<List<ClaimOutcome>> claimAll(List<ClaimRequest> requests) {
        List<CompletableFuture<ClaimOutcome>> sent = new ArrayList<>(requests.size());
        requests.forEach(request -> sent.add(claim(request).toCompletableFuture()));
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                .thenApply(all -> sent.stream().map(CompletableFuture::join).toList());
    }

    ClaimRef refOf(ClaimRequest request) {
        return semel.refOf(request.key().key());
    }
}
