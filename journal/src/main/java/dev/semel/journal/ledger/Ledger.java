// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.StoredResult;
import dev.semel.internal.BoundedText;
import dev.semel.journal.page.Page;
import dev.semel.journal.page.PageBack;
import dev.semel.journal.rows.CachedWrites;
import dev.semel.journal.rows.GroupedWrites;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.SettledPages;
import dev.semel.journal.rows.WriteOutcome;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.compare.SketchLimits;
import dev.semel.replay.EpochGuardedCache;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events that are written once by their idempotency key and never changed.
 *
 * <ol>
 *   <li>The replay cache, if there is one, answers an entry that is equal to a cached one.
 *   <li>Otherwise the entry gets an id and is written together with entries of other callers. Its key and its event are written
 *       in one transaction. If the key exists, neither is written.
 *   <li>The event that the database then holds for the key decides. If it has the entry's own id, this call wrote it, no matter
 *       how often it had to be sent. Otherwise the event existed before and is compared with the entry.
 *   <li>Only a committed event is returned, and only then put into the cache.
 * </ol>
 */
public final class Ledger {
    private static final Difference NONE = new Difference(List.of(), true);
    private static final String CACHED = "semel/event";
    private static final int CACHED_BYTES = 3 * Long.BYTES;

    private final JournalDatabase database;
    private final GroupedWrites<EventRow, StoredEvent> writes;
    private final CachedWrites<StoredEvent> cachedWrites;
    private final LedgerReads reads;
    private final SettledPages pages;
    private final OnMismatch onMismatch;
    private final Consumer<Ingestion> listener;

    /**
     * For {@code Journal}, which builds it.
     *
     * @param listener receives every outcome, and throws nothing
     */
    @SuppressWarnings("exports")
    public Ledger(
            JournalDatabase database, EpochGuardedCache cache, OnMismatch onMismatch, Consumer<Ingestion> listener) {
        this.database = database;
        this.writes = database.groupedWrites(EventRow::ref, LedgerTables.of(database.dialect())::write);
        this.cachedWrites = new CachedWrites<>(cache, CACHED);
        this.reads = new LedgerReads(database.dialect());
        this.pages = new SettledPages(database);
        this.onMismatch = onMismatch;
        this.listener = listener;
    }

    /** Writes an event, unless its key was used before. The stage never fails. */
    public CompletionStage<Ingestion> ingest(LedgerEntry entry) {
        return cachedWrites
                .submit(
                        EventRow.refOf(entry),
                        cached -> replayed(entry, cached),
                        write -> write(EventRow.of(entry), write))
                .thenApply(this::reported);
    }

    private Ingestion reported(Ingestion ingestion) {
        listener.accept(ingestion);
        return ingestion;
    }

    private CompletionStage<Ingestion> write(EventRow row, CachedWrites.Write<StoredEvent> write) {
        return write.coalesced(() -> writes.submit(row).thenCompose(outcome -> whole(row, outcome)))
                .thenApply(outcome -> {
                    if (outcome instanceof WriteOutcome.Stored<StoredEvent> stored && isSame(row, stored.value())) {
                        write.keep(() -> fingerprint(row.entry()), () -> cached(stored.value()));
                    }
                    return ingestion(row, outcome);
                });
    }

    /** The same outcome, with a text that was omitted because many events were read at once. */
    private CompletableFuture<WriteOutcome<StoredEvent>> whole(EventRow row, WriteOutcome<StoredEvent> outcome) {
        if (!(outcome instanceof WriteOutcome.Stored<StoredEvent> found)
                || !found.value().isOmitted()) {
            return CompletableFuture.completedFuture(outcome);
        }
        StoredEvent stored = found.value();
        if (stored.id().equals(row.id())) {
            StoredEvent own =
                    new StoredEvent(stored.id(), stored.createdAt(), row.entry().text());
            return CompletableFuture.completedFuture(new WriteOutcome.Stored<>(own));
        }
        return database.read(connection -> reads.find(connection, null, stored.id()))
                .<WriteOutcome<StoredEvent>>thenApply(event -> event.isPresent()
                        ? new WriteOutcome.Stored<>(event.get())
                        : new WriteOutcome.Failed<>(
                                new StoreException(Kind.UNREACHABLE, "The event was deleted before it could be read")))
                .exceptionally(failure -> new WriteOutcome.Failed<>(JournalDatabase.failure(failure)))
                .toCompletableFuture();
    }

    /**
     * Writes many events in few transactions, in their order. Entries with the same key are one event. A bad entry fails alone.
     * The stage never fails; its outcomes are in the order of the entries. The cache is not used: a bulk import would only
     * displace more useful results.
     *
     * <p>Existing events that differ from the entries are returned with at most {@link Page#MAX_BYTES} of content in total. The
     * content of further ones is {@linkplain LedgerEvent#isOmitted omitted}.
     */
    public CompletionStage<List<Ingestion>> ingestAll(List<LedgerEntry> entries) {
        Map<Object, List<Integer>> places = new LinkedHashMap<>();
        List<EventRow> rows = new ArrayList<>(entries.size());
        for (LedgerEntry entry : entries) {
            EventRow row = EventRow.of(entry);
            places.computeIfAbsent(row.key(), key -> new ArrayList<>(1)).add(rows.size());
            rows.add(row);
        }
        List<EventRow> unique =
                places.values().stream().map(same -> rows.get(same.get(0))).toList();
        Ingestion[] ingestions = new Ingestion[rows.size()];
        AtomicLong room = new AtomicLong(Page.MAX_BYTES);
        return writes.submitAll(
                        unique,
                        (first, outcome) -> whole(first, outcome).thenAccept(found -> {
                            for (int place : places.getOrDefault(first.key(), List.of())) {
                                ingestions[place] = within(room, reported(ingestion(rows.get(place), found)));
                            }
                        }))
                .thenApply(done -> List.of(ingestions));
    }

    /** The same ingestion, without the content of an existing event that does not fit any more. */
    private static Ingestion within(AtomicLong room, Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Existing existing) {
            return new Ingestion.Existing(within(room, existing.event()), existing.difference());
        }
        return ingestion instanceof Ingestion.Rejected rejected
                ? new Ingestion.Rejected(within(room, rejected.event()), rejected.difference())
                : ingestion;
    }

    private static LedgerEvent within(AtomicLong room, LedgerEvent event) {
        if (room.addAndGet(-event.size()) >= 0) {
            return event;
        }
        room.addAndGet(event.size());
        return event.omitted();
    }

    /** Finds out which of these {@linkplain LedgerEntry#keyHash keys} were used before. Writes nothing. */
    public CompletionStage<Set<Fingerprint>> known(Collection<Fingerprint> keyHashes) {
        return database.read(connection -> reads.known(connection, keyHashes));
    }

    /**
     * Finds an event by its id.
     *
     * @param orgId the organization that must own the event; null for any
     */
    public CompletionStage<Optional<LedgerEvent>> find(@Nullable String orgId, UUID id) {
        if (orgId != null) {
            BoundedText.check("org_id", orgId, EventText.MAX_COLUMN);
        }
        return database.read(connection -> reads.find(connection, orgId, id).map(StoredEvent::event));
    }

    /**
     * An organization's events in the order of writing. A reader that continues from cursor to cursor misses no event, not even
     * one that commits late: no event is shown while an earlier one may still appear. On PostgreSQL, events are not shown while
     * an earlier transaction that has written to the journal is open. The page is then {@linkplain Page#unsettled unsettled}, and
     * the events can be found by their ids.
     *
     * @param after a cursor of an earlier page; null or empty begins with the first event
     * @throws IllegalArgumentException if {@code after} is not a cursor, or the limit is not 1 to {@value Page#MAX_LIMIT}
     */
    public CompletionStage<Page<LedgerEvent>> page(String orgId, @Nullable String after, int limit) {
        return page(orgId, after, limit, Page.MAX_BYTES);
    }

    /**
     * As {@link #page(String, String, int)}, with a smaller limit on the bytes of a page.
     *
     * @param maxBytes the maximum bytes of content, unless the first item alone is larger: 1 to {@link Page#MAX_BYTES}
     */
    public CompletionStage<Page<LedgerEvent>> page(String orgId, @Nullable String after, int limit, int maxBytes) {
        BoundedText.check("org_id", orgId, EventText.MAX_COLUMN);
        return pages.read(
                after,
                limit,
                maxBytes,
                (connection, from, bounds) -> reads.page(connection, orgId, from, bounds),
                StoredEvent::event);
    }

    /**
     * Finds where a page of the newest events begins, or of those before it.
     *
     * @param until the cursor of the last one; null or empty for the newest. Pass the {@code after} of a page to go back
     * @param limit how many at most: 1 to {@link Page#MAX_LIMIT}
     * @throws IllegalArgumentException if {@code until} is not a cursor, or the limit is out of range
     */
    public CompletionStage<PageBack> back(String orgId, @Nullable String until, int limit) {
        BoundedText.check("org_id", orgId, EventText.MAX_COLUMN);
        return pages.back(until, limit, (connection, end, rows) -> reads.back(connection, orgId, end, rows));
    }

    /**
     * Finds the event that was written with a key.
     *
     * @return empty if the organization has not used the key, or its key was deleted by the retention
     */
    public CompletionStage<Optional<LedgerEvent>> findByKey(String orgId, String idempotencyKey) {
        BoundedText.check("org_id", orgId, EventText.MAX_COLUMN);
        BoundedText.check("idempotency_key", idempotencyKey, LedgerEntry.MAX_KEY);
        Fingerprint hash = LedgerEntry.keyHashOf(orgId, idempotencyKey);
        return database.read(connection -> reads.findByKey(connection, orgId, hash))
                .thenApply(found -> found.map(StoredEvent::event));
    }

    private Ingestion ingestion(EventRow row, WriteOutcome<StoredEvent> outcome) {
        if (outcome instanceof WriteOutcome.Failed<StoredEvent> failed) {
            return new Ingestion.Failed(failed.cause());
        }
        StoredEvent stored = ((WriteOutcome.Stored<StoredEvent>) outcome).value();
        boolean same = isSame(row, stored);
        LedgerEvent event = same ? new LedgerEvent(stored.id(), stored.createdAt(), row.entry()) : stored.event();
        if (stored.id().equals(row.id())) {
            return new Ingestion.Written(event);
        }
        Difference difference =
                same ? NONE : Difference.between(event.given(), row.entry().event(), SketchLimits.DEFAULT);
        Ingestion.Existing existing = new Ingestion.Existing(event, difference);
        return existing.differs() && onMismatch == OnMismatch.REJECT
                ? new Ingestion.Rejected(event, difference)
                : existing;
    }

    private static boolean isSame(EventRow row, StoredEvent stored) {
        return stored.whole().equals(row.entry().text());
    }

    private static byte[] cached(StoredEvent stored) {
        return ByteBuffer.allocate(CACHED_BYTES)
                .putLong(stored.id().getMostSignificantBits())
                .putLong(stored.id().getLeastSignificantBits())
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, stored.createdAt()))
                .array();
    }

    /** Only an equal entry is answered from the cache. A different one is compared with the event in the database. */
    private static Optional<Ingestion> replayed(LedgerEntry entry, CachedWrites.Cached cached) {
        StoredResult result = cached.result();
        if (result.size() != CACHED_BYTES || !cached.fingerprint().equals(fingerprint(entry))) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(result.bytes());
        LedgerEvent event =
                new LedgerEvent(new UUID(bytes.getLong(), bytes.getLong()), RowReader.moment(bytes.getLong()), entry);
        return Optional.of(new Ingestion.Existing(event, NONE));
    }

    private static Fingerprint fingerprint(LedgerEntry entry) {
        EventText text = entry.text();
        return Fingerprint.of(
                text.eventType(),
                marked(text.actorId()),
                marked(text.entityType()),
                marked(text.entityId()),
                marked(text.payload()),
                marked(text.members()));
    }

    /** Distinguishes null from an empty text. */
    private static String marked(@Nullable String value) {
        return value == null ? "-" : "+" + value;
    }
}
