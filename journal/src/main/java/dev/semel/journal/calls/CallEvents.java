// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.internal.BoundedText;
import dev.semel.journal.page.Page;
import dev.semel.journal.page.PageBack;
import dev.semel.journal.rows.CachedWrites;
import dev.semel.journal.rows.GroupedWrites;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.journal.rows.SettledPages;
import dev.semel.journal.rows.WriteOutcome;
import dev.semel.replay.EpochGuardedCache;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Call events, each stored once by its signature. Events without a signature cannot be recognized, so every one is stored. The
 * unique index {@code (site_id, signature_hash)} decides; the replay cache only saves queries.
 */
public final class CallEvents {
    private static final String CACHED = "semel/call";

    private final JournalDatabase database;
    private final GroupedWrites<CallRow, UUID> writes;
    private final CachedWrites<UUID> cachedWrites;
    private final CallReads reads;
    private final SettledPages pages;
    private final boolean writeSignatureHash;
    private final Consumer<CallOutcome> listener;

    /**
     * For {@code Journal}, which builds it.
     *
     * @param listener receives every outcome, and throws nothing
     */
    @SuppressWarnings("exports")
    public CallEvents(
            JournalDatabase database,
            EpochGuardedCache cache,
            boolean writeSignatureHash,
            Consumer<CallOutcome> listener) {
        this.database = database;
        this.writes = database.groupedWrites(CallRow::id, CallTables.of(database.dialect())::write);
        this.cachedWrites = new CachedWrites<>(cache, CACHED);
        this.reads = new CallReads(database.dialect());
        this.pages = new SettledPages(database);
        this.writeSignatureHash = writeSignatureHash;
        this.listener = listener;
    }

    /** Stores a call event, unless its signature is known. The stage never fails. */
    public CompletionStage<CallOutcome> record(CallEvent call) {
        return recorded(call).thenApply(this::reported);
    }

    private CallOutcome reported(CallOutcome outcome) {
        listener.accept(outcome);
        return outcome;
    }

    private CompletionStage<CallOutcome> recorded(CallEvent call) {
        CallRow row = CallRow.of(writeSignatureHash ? call : call.unsigned());
        ClaimRef ref = row.ref();
        if (ref == null) {
            return writes.submit(row).thenApply(outcome -> outcome(row, outcome));
        }
        return cachedWrites.submit(
                ref,
                cached -> replayed(cached.result()),
                write -> write.coalesced(() -> writes.submit(row)).thenApply(outcome -> {
                    if (outcome instanceof WriteOutcome.Stored<UUID> stored) {
                        write.keep(() -> Fingerprint.NONE, () -> cached(stored.value()));
                    }
                    return outcome(row, outcome);
                }));
    }

    /**
     * Answers a call event that must not be stored, such as one whose timestamp is out of tolerance: empty if its signature is
     * not known. Fails only with a {@link dev.semel.claim.StoreException}.
     */
    public CompletionStage<Optional<CallOutcome>> duplicate(String siteId, String signatureHash) {
        return database.read(connection -> reads.known(connection, siteId, signatureHash))
                .thenApply(found ->
                        found.map(id -> reported(new CallOutcome.Noop(id, CallOutcome.Reason.IDEMPOTENT_CONFLICT))));
    }

    /**
     * Finds a call by its id.
     *
     * @param siteId the site that must own the call; null for any
     */
    public CompletionStage<Optional<StoredCall>> find(@Nullable String siteId, UUID id) {
        return database.read(connection -> reads.find(connection, siteId, id));
    }

    /**
     * A site's calls in the order of writing. A reader that continues from cursor to cursor misses none, as with {@code
     * Ledger.page}.
     *
     * @param after a cursor of an earlier page; null or empty begins with the first call
     * @throws IllegalArgumentException if {@code after} is not a cursor, or the limit is not 1 to {@value Page#MAX_LIMIT}
     */
    public CompletionStage<Page<StoredCall>> page(String siteId, @Nullable String after, int limit) {
        return page(siteId, after, limit, Page.MAX_BYTES);
    }

    /**
     * As {@link #page(String, String, int)}, with a smaller limit on the bytes of a page.
     *
     * @param maxBytes the maximum bytes of content, unless the first item alone is larger: 1 to {@link Page#MAX_BYTES}
     */
    public CompletionStage<Page<StoredCall>> page(String siteId, @Nullable String after, int limit, int maxBytes) {
        BoundedText.check("site_id", siteId, CallEvent.MAX_SITE);
        return pages.read(
                after,
                limit,
                maxBytes,
                (connection, from, bounds) -> reads.page(connection, siteId, from, bounds),
                call -> call);
    }

    /**
     * Finds where a page of the newest calls begins, or of those before it.
     *
     * @param until the cursor of the last one; null or empty for the newest. Pass the {@code after} of a page to go back
     * @param limit how many at most: 1 to {@link Page#MAX_LIMIT}
     * @throws IllegalArgumentException if {@code until} is not a cursor, or the limit is out of range
     */
    public CompletionStage<PageBack> back(String siteId, @Nullable String until, int limit) {
        BoundedText.check("site_id", siteId, CallEvent.MAX_SITE);
        return pages.back(until, limit, (connection, end, rows) -> reads.back(connection, siteId, end, rows));
    }

    private static CallOutcome outcome(CallRow row, WriteOutcome<UUID> outcome) {
        if (outcome instanceof WriteOutcome.Failed<UUID> failed) {
            return new CallOutcome.Failed(failed.cause());
        }
        UUID stored = ((WriteOutcome.Stored<UUID>) outcome).value();
        return stored.equals(row.id())
                ? new CallOutcome.Inserted(stored)
                : new CallOutcome.Noop(stored, CallOutcome.Reason.IDEMPOTENT_CONFLICT);
    }

    private static byte[] cached(UUID id) {
        return id.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static Optional<CallOutcome> replayed(StoredResult cached) {
        try {
            return Optional.of(new CallOutcome.Noop(UUID.fromString(cached.text()), CallOutcome.Reason.REPLAY_CACHE));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
