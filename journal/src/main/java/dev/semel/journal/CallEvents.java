// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.BoundedText;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.replay.ReplayCache;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Call events, each stored once by its signature. Without a signature there is nothing to know it by, and every one is
 * stored. The unique index {@code (site_id, signature_hash)} decides; a cache only saves the way to it.
 */
public final class CallEvents {
    private static final String CACHED = "semel/call";

    private final GroupedWrites<CallRow, UUID> writes;
    private final Flights<ClaimRef, GroupedWrites.Answer<UUID>> flights =
            new Flights<>(GroupedWrites.Answer::isRejected);
    private final Reading reading;
    private final SettledPages pages;
    private final EpochGuardedCache cache;
    private final boolean writeSignatureHash;

    CallEvents(
            GroupedWrites<CallRow, UUID> writes, Reading reading, EpochGuardedCache cache, boolean writeSignatureHash) {
        this.writes = writes;
        this.reading = reading;
        this.pages = new SettledPages(reading);
        this.cache = cache;
        this.writeSignatureHash = writeSignatureHash;
    }

    /** Stores a call event, unless its signature is known. The stage never fails. */
    public CompletionStage<CallOutcome> record(CallEvent call) {
        CallRow row = CallRow.of(
                writeSignatureHash ? call : new CallEvent(call.siteId(), call.body(), null, call.verified()));
        ClaimRef ref = row.ref();
        if (ref == null) {
            return writes.submit(row).thenApply(answer -> answered(row, answer, null));
        }
        EpochGuardedCache.Epoch before = cache.epoch();
        return cache.find(ref).thenCompose(found -> {
            Optional<CallOutcome> replayed = found.flatMap(CallEvents::replayed);
            return replayed.isPresent()
                    ? CompletableFuture.completedFuture(replayed.get())
                    : flights.submit(ref, () -> writes.submit(row)).thenApply(answer -> answered(row, answer, before));
        });
    }

    /** The call that is stored for a signature: a known and valid one is answered at any age. */
    public CompletionStage<Optional<UUID>> known(String siteId, String signatureHash) {
        return reading.run((reads, connection) -> reads.known(connection, siteId, signatureHash));
    }

    /**
     * A call.
     *
     * @param siteId whose it must be; null for anybody's
     */
    public CompletionStage<Optional<StoredCall>> find(@Nullable String siteId, UUID id) {
        return reading.run((reads, connection) -> reads.call(connection, siteId, id));
    }

    /**
     * A site's calls in order of writing; see {@link Ledger#page}.
     *
     * @throws IllegalArgumentException if it is no cursor, or the limit is not 1 to {@value Page#MAX_LIMIT}
     */
    public CompletionStage<Page<StoredCall>> page(String siteId, @Nullable String after, int limit) {
        return page(siteId, after, limit, Page.MAX_BYTES);
    }

    /**
     * As {@link #page(String, String, int)}, with a smaller bound on a page's bytes.
     *
     * @param maxBytes how many bytes of content a page has at most, unless its first item alone has more: 1 to {@link
     *     Page#MAX_BYTES}
     */
    public CompletionStage<Page<StoredCall>> page(String siteId, @Nullable String after, int limit, int maxBytes) {
        BoundedText.check("site_id", siteId, CallEvent.MAX_SITE);
        return pages.read(
                after,
                limit,
                maxBytes,
                (reads, connection, from, bounds) -> reads.calls(connection, siteId, from, bounds),
                call -> call);
    }

    private CallOutcome answered(
            CallRow row, GroupedWrites.Answer<UUID> answer, EpochGuardedCache.@Nullable Epoch before) {
        if (answer instanceof GroupedWrites.Answer.Failed<UUID> failed) {
            return new CallOutcome.Failed(failed.cause());
        }
        UUID there = ((GroupedWrites.Answer.There<UUID>) answer).stored();
        ClaimRef ref = row.ref();
        if (ref != null && before != null) {
            byte[] id = there.toString().getBytes(StandardCharsets.US_ASCII);
            cache.keep(
                    before,
                    ref,
                    new ReplayCache.Entry(Status.SUCCEEDED, Fingerprint.NONE, new StoredResult(CACHED, id)),
                    null);
        }
        return there.equals(row.id())
                ? new CallOutcome.Inserted(there)
                : new CallOutcome.Noop(there, CallOutcome.Reason.IDEMPOTENT_CONFLICT);
    }

    private static Optional<CallOutcome> replayed(ReplayCache.Entry known) {
        StoredResult result = known.result();
        if (result == null || !result.type().equals(CACHED)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new CallOutcome.Noop(UUID.fromString(result.text()), CallOutcome.Reason.REPLAY_CACHE));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
