// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
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
 * Keeps the results of many outcomes within {@link ClaimStore#MAX_RESULT_BYTES}. Results are counted in the order of the
 * outcomes, and once for each key. A result that the store omitted is read if it fits. A result that does not fit is omitted.
 */
final class BoundedResults {
    private final ClaimReads reads;
    private final Map<ClaimRef, Shown> byKey = new HashMap<>();
    private int room = ClaimStore.MAX_RESULT_BYTES;

    private BoundedResults(ClaimReads reads) {
        this.reads = reads;
    }

    static CompletableFuture<List<ClaimOutcome>> of(
            ClaimReads reads, List<ClaimCall> calls, List<ClaimOutcome> outcomes) {
        BoundedResults results = new BoundedResults(reads);
        List<CompletableFuture<ClaimOutcome>> bounded = new ArrayList<>(outcomes.size());
        for (int i = 0; i < outcomes.size(); i++) {
            bounded.add(results.bounded(calls.get(i), outcomes.get(i)));
        }
        return Futures.all(bounded);
    }

    /** The outcome, without its result if the room that is left is too small for it. */
    static ClaimOutcome within(AtomicInteger room, ClaimOutcome outcome) {
        StoredResult result = resultOf(outcome);
        if (result == null || room.addAndGet(-result.size()) >= 0) {
            return outcome;
        }
        room.addAndGet(result.size());
        return with(outcome, StoredResult.omitted(result.size()));
    }

    private CompletableFuture<ClaimOutcome> bounded(ClaimCall call, ClaimOutcome outcome) {
        StoredResult result = resultOf(outcome);
        if (result == null) {
            return CompletableFuture.completedFuture(outcome);
        }
        Shown known = byKey.get(call.ref());
        if (known != null && known.isOf(result)) {
            return known.shown().thenApply(shared -> with(outcome, shared));
        }
        CompletableFuture<StoredResult> fitted = fitted(call, result);
        byKey.put(call.ref(), new Shown(result, fitted));
        return fitted.thenApply(shown -> with(outcome, shown));
    }

    /** A result, and the form in which it is returned. */
    private record Shown(StoredResult result, CompletableFuture<StoredResult> shown) {
        /** Whether this is the same result. It always is, unless the key was claimed anew in the meantime. */
        boolean isOf(StoredResult other) {
            return result.size() == other.size() && (result.isOmitted() || other.isOmitted() || result.equals(other));
        }
    }

    private CompletableFuture<StoredResult> fitted(ClaimCall call, StoredResult result) {
        StoredResult omitted = result.isOmitted() ? result : StoredResult.omitted(result.size());
        if (result.size() > room) {
            return CompletableFuture.completedFuture(omitted);
        }
        room -= result.size();
        return result.isOmitted()
                ? reads.find(call.digests())
                        .thenApply(found -> found.map(claim -> read(claim, call.fingerprint(), omitted))
                                .orElse(omitted))
                        .exceptionally(silent -> omitted)
                : CompletableFuture.completedFuture(result);
    }

    /** The result that was omitted. If the claim has another one by now, which may not fit, it stays omitted. */
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
