// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoreException;
import dev.semel.internal.Futures;
import dev.semel.key.KeyDigests;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs the claim protocol. PROTOCOL.md explains it at more length.
 *
 * <ol>
 *   <li><b>Two writes only</b>: insert if absent, and compare-and-set on the owner's token ({@link Command}).
 *   <li><b>Digest.</b> A claim is identified by a keyed 256-bit digest of mode, tenant, scope and key ({@link KeyDigests}).
 *   <li><b>Claim.</b> Insert with a fresh random token. A caller that loses receives the existing claim; a caller that finds
 *       its own token there has won. No answer is given before the commit ({@link Acquisition}).
 *   <li><b>Decide.</b> An expired claim counts as absent; then mismatch; then status ({@link Decision}).
 *   <li><b>Take over.</b> A duplicate costs a read, never a write. Only a claim that was read as reclaimable is taken over,
 *       by a compare-and-set on the token that was read. It checks the lease again, writes a new token and adds one to the
 *       attempt. The stale policy stored with the claim decides, not that of the new caller ({@link Acquisition}).
 *   <li><b>Run.</b> The lease is renewed after a third of it, up to a maximum run time ({@link Run}).
 *   <li><b>Settle</b> if the token still owns the claim and the claim is still open. Settling after the end of the lease
 *       succeeds if no other owner has taken over ({@link OwnerCommands}).
 *   <li><b>Replay.</b> Every later caller receives the stored result, from the cache if it has it ({@link CachedOutcomes}),
 *       otherwise from the store ({@link Replay}).
 *   <li><b>Expire.</b> A running claim never expires. The TTL counts from the settlement ({@link Sweeper}).
 *   <li><b>One clock</b>, the store's. Tokens decide ownership; time only decides who may try.
 *   <li><b>Aliases and secret rotation are one mechanism</b> ({@link ClaimDigests}): a claim has one or more digests, which
 *       are inserted together. One row is the record, the others point to it. All digests new: granted. Some present: the
 *       new ones point to that record, which answers. Two records: a conflict, which is recorded; the more decisive record
 *       answers.
 * </ol>
 *
 * <p>Point 12, claims inside the caller's transaction, is {@link TransactionProtocol}.
 */
final class ClaimProtocol {
    /** How many claims with several digests are made in one call: few enough to end long before the timeout. */
    private static final int PART = 32;

    private final Acquisition.Engine engine;
    private final ClaimLimit limit;
    private final BoundedQueue parts;

    /**
     * @param maxClaims how many claims may be in progress, including those whose callers no longer wait; more are refused as
     *     busy
     * @param maxParts how many parts of large requests may be in progress in the store at the same time
     */
    ClaimProtocol(Acquisition.Engine engine, int maxClaims, int maxParts) {
        this.engine = engine;
        this.limit = new ClaimLimit(maxClaims);
        this.parts = new BoundedQueue(maxParts);
    }

    /** Points 3 to 5 of the protocol. Never fails: a failure is an outcome. */
    CompletableFuture<ClaimOutcome> claim(ClaimCall call) {
        return limit.admit(1)
                ? new Acquisition(engine, call, limit.place()).alone()
                : CompletableFuture.completedFuture(busy());
    }

    /**
     * Makes many claims at once, each with its own outcome. Claims with one digest are one call to the store. Each claim with
     * several digests is a transaction of its own, so these are made in parts, and the store timeout counts from the
     * beginning of each part. After a part has timed out, no further part begins. Take-overs are single commands. Results
     * that the store omits stay omitted.
     */
    List<CompletableFuture<ClaimOutcome>> claimAll(List<ClaimCall> calls) {
        if (!limit.admit(calls.size())) {
            return calls.stream()
                    .map(call -> CompletableFuture.completedFuture(busy()))
                    .toList();
        }
        List<Slot> slots = calls.stream().map(Slot::new).toList();
        AtomicReference<@Nullable Throwable> silent = new AtomicReference<>();
        List<Slot> plain = slots.stream().filter(Slot::isPlain).toList();
        if (!plain.isEmpty()) {
            begin(plain, silent);
        }
        List<Slot> several = slots.stream().filter(slot -> !slot.isPlain()).toList();
        for (int from = 0; from < several.size(); from += PART) {
            List<Slot> part = several.subList(from, Math.min(from + PART, several.size()));
            parts.add(() -> begin(part, silent));
        }
        return slots.stream().map(Slot::outcome).toList();
    }

    /**
     * Makes these claims in one call and completes when it is answered or timed out.
     *
     * @param silent why the store did not answer an earlier part; then these claims are not made
     */
    private CompletableFuture<?> begin(List<Slot> part, AtomicReference<@Nullable Throwable> silent) {
        Throwable known = silent.get();
        if (known != null) {
            limit.giveBack(part.size());
            part.forEach(slot -> slot.outcome().complete(Acquisition.unavailable(known)));
            return CompletableFuture.completedFuture(null);
        }
        List<Acquisition> acquisitions = part.stream()
                .map(slot -> new Acquisition(engine, slot.call(), limit.place()))
                .toList();
        List<Command> inserts = acquisitions.stream().map(Acquisition::insert).toList();
        RetriedCall<List<Verdict>> all = engine.gateway().submitAll(inserts, engine.storeTimeout());
        // Before the outcomes: no part may begin after a caller has received its outcome.
        CompletableFuture<?> answered = engine.gateway()
                .answeredWithin(engine.storeTimeout(), all)
                .handle((verdicts, failure) -> {
                    if (failure != null) {
                        silent.compareAndSet(null, Futures.unwrapped(failure));
                    }
                    return null;
                });
        for (int i = 0; i < part.size(); i++) {
            int at = i;
            CompletableFuture<Verdict> own = all.thenApply(verdicts -> verdicts.get(at));
            acquisitions
                    .get(i)
                    .together(inserts.get(i), own, all)
                    .thenAccept(part.get(i).outcome()::complete);
        }
        return answered;
    }

    private ClaimOutcome busy() {
        return Acquisition.unavailable(new StoreException(
                StoreException.Kind.BUSY, "Busy: %d claims are waiting for the store already".formatted(limit.max())));
    }

    /** One of many claims, and its outcome. */
    private record Slot(ClaimCall call, CompletableFuture<ClaimOutcome> outcome) {
        Slot(ClaimCall call) {
            this(call, new CompletableFuture<>());
        }

        boolean isPlain() {
            return call.digests().others().isEmpty();
        }
    }
}
