// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.internal.Futures;
import dev.semel.spi.ClaimStore;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Many claims in one request. The cache answers the ones it knows, and one call to the store makes the others. */
final class ManyClaims {
    private final ClaimProtocol protocol;
    private final ClaimReads reads;
    private final CachedOutcomes cache;
    private final Events events;

    ManyClaims(ClaimProtocol protocol, ClaimReads reads, CachedOutcomes cache, Events events) {
        this.protocol = protocol;
        this.reads = reads;
        this.cache = cache;
        this.events = events;
    }

    /** The outcomes in the order of the calls, with results up to {@link ClaimStore#MAX_RESULT_BYTES} in all. */
    CompletableFuture<List<ClaimOutcome>> claimAll(List<ClaimCall> calls) {
        return Futures.all(cached(calls)).thenCompose(known -> {
            List<ClaimCall> unknown = IntStream.range(0, calls.size())
                    .filter(i -> known.get(i).isEmpty())
                    .mapToObj(calls::get)
                    .toList();
            return Futures.all(protocol.claimAll(unknown)).thenCompose(answers -> {
                List<ClaimOutcome> outcomes = new ArrayList<>(calls.size());
                Iterator<ClaimOutcome> next = answers.iterator();
                for (int i = 0; i < calls.size(); i++) {
                    outcomes.add(known.get(i).orElseGet(next::next));
                    events.answered(calls.get(i), outcomes.get(i));
                }
                return BoundedResults.of(reads, calls, outcomes);
            });
        });
    }

    private List<CompletableFuture<Optional<ClaimOutcome>>> cached(List<ClaimCall> calls) {
        // A shared cache may return large results for all keys. Those beyond the limit are dropped as they arrive.
        AtomicInteger room = new AtomicInteger(ClaimStore.MAX_RESULT_BYTES);
        List<CompletableFuture<Optional<ClaimOutcome>>> cached = new ArrayList<>(calls.size());
        for (ClaimCall call : calls) {
            cached.add(
                    call.digests().others().isEmpty()
                            ? cache.find(call.ref(), call.fingerprint())
                                    .thenApply(found -> found.map(outcome -> BoundedResults.within(room, outcome)))
                            : CompletableFuture.completedFuture(Optional.empty()));
        }
        return cached;
    }
}
