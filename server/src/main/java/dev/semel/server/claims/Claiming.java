// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Sends claims to the engine: one, or many in one round trip. */
public final class Claiming {
    private final Semel semel;

    public Claiming(Semel semel) {
        this.semel = semel;
    }

    CompletionStage<ClaimOutcome> claim(ClaimRequest request) {
        return semel.claim(request.key(), request.fingerprint(), request.terms(), request.patience());
    }

    /** All of them, answered in order. */
    CompletionStage<List<ClaimOutcome>> claimAll(List<ClaimRequest> requests) {
        return semel.claimAll(requests.stream()
                .map(one -> new dev.semel.ClaimRequest(one.key(), one.fingerprint(), one.terms()))
                .toList());
    }

    ClaimRef refOf(ClaimRequest request) {
        return semel.refOf(request.key().key());
    }
}
