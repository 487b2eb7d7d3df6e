// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the results of many outcomes within {@link ClaimStore#MAX_RESULT_BYTES}. They are counted in the order of the
 * outcomes, the result of one key once. One that the store left out is read if there is room for it; one that there is no
 * room for is left out.
 */
final class BoundedResults {
    private final ClaimProtocol claims;
    private final Map<ClaimRef, Shown> byKey = new HashMap<>();
    private int room = ClaimStore.MAX_RESULT_BYTES;

    private BoundedResults(ClaimProtocol claims) {
        this.claims = claims;
    }

    static CompletableFuture<List<ClaimOutcome>> of(
            ClaimProtocol claims, List<ClaimDigests> names, List<ClaimRequest> requests, List<ClaimOutcome> outcomes) {
        BoundedResults results = new BoundedResults(claims);
        List<CompletableFuture<ClaimOutcome>> bounded = new ArrayList<>(outcomes.size());
        for (int i = 0; i < outcomes.size(); i++) {
            bounded.add(results.bounded(names.get(i), requests.get(i).fingerprint(), outcomes.get(i)));
        }
        return CoalescingClaims.allOf(bounded);
    }

    /** The outcome, without its result if that is larger than the room that is left for it and others. */
    static ClaimOutcome within(AtomicInteger room, ClaimOutcome outcome) {
        StoredResult result = resultOf(outcome);
        if (result == null || room.addAndGet(-result.size()) >= 0) {
            return outcome;
        }
        room.addAndGet(result.size());
        return with(outcome, StoredResult.omitted(result.size()));
    }

    private CompletableFuture<ClaimOutcome> bounded(ClaimDigests names, Fingerprint fingerprint, ClaimOutcome outcome) {
        StoredResult result = resultOf(outcome);
        if (result == null) {
            return CompletableFuture.completedFuture(outcome);
        }
        Shown known = byKey.get(names.ref());
        if (known != null && known.isOf(result)) {
            return known.shown().thenApply(shared -> with(outcome, shared));
        }
        CompletableFuture<StoredResult> fitted = fitted(names, fingerprint, result);
        byKey.put(names.ref(), new Shown(result, fitted));
        return fitted.thenApply(shown -> with(outcome, shown));
    }

    /** What is shown of a result. */
    private record Shown(StoredResult result, CompletableFuture<StoredResult> shown) {
        /** Whether this is the same result, as it always is unless the claim was made anew meanwhile. */
        boolean isOf(StoredResult other) {
            return result.size() == other.size() && (result.isOmitted() || other.isOmitted() || result.equals(other));
        }
    }

    private CompletableFuture<StoredResult> fitted(ClaimDigests names, Fingerprint fingerprint, StoredResult result) {
        StoredResult omitted = result.isOmitted() ? result : StoredResult.omitted(result.size());
        if (result.size() > room) {
            return CompletableFuture.completedFuture(omitted);
        }
        room -= result.size();
        return result.isOmitted()
                ? claims.find(names)
                        .thenApply(found -> found.map(claim -> read(claim, fingerprint, omitted))
                                .orElse(omitted))
                        .exceptionally(silent -> omitted)
                : CompletableFuture.completedFuture(result);
    }

    /** The result that was left out, unless the claim has another by now, which may not fit. */
    private static StoredResult read(Snapshot claim, Fingerprint fingerprint, StoredResult omitted) {
        StoredResult result = Decision.about(claim, fingerprint) instanceof Decision.Answer answer
                ? resultOf(answer.outcome())
                : null;
        return result != null && result.size() == omitted.size() ? result : omitted;
    }

    private static @Nullable StoredResult resultOf(ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded succeeded) {
            return succeeded.result();
        }
        return outcome instanceof ClaimOutcome.Failed failed ? failed.result() : null;
    }

    private static ClaimOutcome with(ClaimOutcome outcome, StoredResult result) {
        return outcome instanceof ClaimOutcome.Succeeded
                ? new ClaimOutcome.Succeeded(result)
                : new ClaimOutcome.Failed(result);
    }
}
