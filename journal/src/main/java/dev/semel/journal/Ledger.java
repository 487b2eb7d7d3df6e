// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.StoredResult;
import dev.semel.internal.BoundedText;
import dev.semel.payload.compare.Difference;
import dev.semel.payload.compare.SketchLimits;
import dev.semel.replay.EpochGuardedCache;
import dev.semel.replay.ReplayCache;
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
import org.jspecify.annotations.Nullable;

/**
 * Events that are written once by their key, and never changed.
 *
 * <ol>
 *   <li>A cache, if there is one, may know the very same entry: then its event is the answer.
 *   <li>Otherwise the entry gets an id and goes to the database with those of other callers: key and event in one
 *       transaction, neither if the key is taken.
 *   <li>What is then there for the key decides. An event with the entry's own id was written by it, however often it had
 *       to be sent; any other one was there before, and is compared.
 *   <li>Only what is committed is answered, and only then kept in the cache, under the epoch from before.
 * </ol>
 */
public final class Ledger {
    private static final Difference NONE = new Difference(List.of(), true);
    private static final String CACHED = "semel/event";

    private final GroupedWrites<EventRow, StoredEvent> writes;
    private final Flights<ClaimRef, GroupedWrites.Answer<StoredEvent>> flights =
            new Flights<>(GroupedWrites.Answer::isRejected);
    private final Reading reading;
    private final SettledPages pages;
    private final EpochGuardedCache cache;
    private final OnMismatch onMismatch;

    Ledger(
            GroupedWrites<EventRow, StoredEvent> writes,
            Reading reading,
            EpochGuardedCache cache,
            OnMismatch onMismatch) {
        this.writes = writes;
        this.reading = reading;
        this.pages = new SettledPages(reading);
        this.cache = cache;
        this.onMismatch = onMismatch;
    }

    /** Writes an event, unless its key was used before. The stage never fails. */
    public CompletionStage<Ingestion> ingest(LedgerEntry entry) {
        EpochGuardedCache.Epoch before = cache.epoch();
        return cache.find(EventRow.refOf(entry)).thenCompose(found -> {
            Optional<Ingestion> replayed = found.flatMap(known -> replayed(entry, known));
            return replayed.isPresent() ? CompletableFuture.completedFuture(replayed.get()) : write(entry, before);
        });
    }

    private CompletionStage<Ingestion> write(LedgerEntry entry, EpochGuardedCache.@Nullable Epoch before) {
        EventRow row = EventRow.of(entry);
        return flights.submit(row.ref(), () -> writes.submit(row).thenCompose(answer -> whole(row, answer)))
                .thenApply(answer -> answered(row, answer, before));
    }

    /** The same answer, with the event that was left out because others were read with it. */
    private CompletableFuture<GroupedWrites.Answer<StoredEvent>> whole(
            EventRow row, GroupedWrites.Answer<StoredEvent> answer) {
        if (!(answer instanceof GroupedWrites.Answer.There<StoredEvent> there)
                || !there.stored().isOmitted()) {
            return CompletableFuture.completedFuture(answer);
        }
        StoredEvent stored = there.stored();
        if (stored.id().equals(row.id())) {
            StoredEvent own =
                    new StoredEvent(stored.id(), stored.createdAt(), row.entry().text());
            return CompletableFuture.completedFuture(new GroupedWrites.Answer.There<>(own));
        }
        return reading.run((reads, connection) -> reads.event(connection, null, stored.id()))
                .<GroupedWrites.Answer<StoredEvent>>thenApply(found -> found.isPresent()
                        ? new GroupedWrites.Answer.There<>(found.get())
                        : new GroupedWrites.Answer.Failed<>(
                                new StoreException(Kind.UNREACHABLE, "The event was deleted while it was being read")))
                .exceptionally(failure -> new GroupedWrites.Answer.Failed<>(JournalThreads.failure(failure)))
                .toCompletableFuture();
    }

    /**
     * Writes many events in few transactions, in their order. Entries with the same key are one event; one bad entry
     * fails alone. The stage never fails; its answers stand in the order of the entries. The cache is left alone: what is
     * brought in by the thousand would only drive out what is asked for.
     *
     * <p>Events that were there and differ from what was sent are answered up to {@link Page#MAX_BYTES} together; the content
     * of others is {@linkplain LedgerEvent#isOmitted left out}.
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
        Ingestion[] answers = new Ingestion[rows.size()];
        AtomicLong room = new AtomicLong(Page.MAX_BYTES);
        return writes.submitAll(
                        unique,
                        (first, answer) -> whole(first, answer).thenAccept(there -> {
                            for (int place : places.getOrDefault(first.key(), List.of())) {
                                answers[place] = within(room, answered(rows.get(place), there, null));
                            }
                        }))
                .thenApply(done -> List.of(answers));
    }

    /** The same, without the content of an event that is not the one that was sent, if there is no room for it. */
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

    /** Which of these {@linkplain LedgerEntry#name names} have an event already; writes nothing. */
    public CompletionStage<Set<Fingerprint>> known(Collection<Fingerprint> names) {
        return reading.run((reads, connection) -> reads.known(connection, names));
    }

    /**
     * An event.
     *
     * @param orgId whose it must be; null for anybody's
     */
    public CompletionStage<Optional<LedgerEvent>> find(@Nullable String orgId, UUID id) {
        if (orgId != null) {
            BoundedText.check("org_id", orgId, EventText.MAX_NAME);
        }
        return reading.run(
                (reads, connection) -> reads.event(connection, orgId, id).map(StoredEvent::event));
    }

    /**
     * An organization's events in order of writing. Whoever goes on from cursor to cursor misses none, also not one that
     * is committed late: nothing is shown that something earlier may still appear before. On PostgreSQL events stay
     * off the pages as long as another transaction is open that has written records before them. The page then says that
     * it is {@linkplain Page#unsettled unsettled}, and the events can be found by their ids.
     *
     * @param after a cursor of an earlier page; null or empty begins with the first event
     * @throws IllegalArgumentException if it is no cursor, or the limit is not 1 to {@value Page#MAX_LIMIT}
     */
    public CompletionStage<Page<LedgerEvent>> page(String orgId, @Nullable String after, int limit) {
        return page(orgId, after, limit, Page.MAX_BYTES);
    }

    /**
     * As {@link #page(String, String, int)}, with a smaller bound on a page's bytes.
     *
     * @param maxBytes how many bytes of content a page has at most, unless its first item alone has more: 1 to {@link
     *     Page#MAX_BYTES}
     */
    public CompletionStage<Page<LedgerEvent>> page(String orgId, @Nullable String after, int limit, int maxBytes) {
        BoundedText.check("org_id", orgId, EventText.MAX_NAME);
        return pages.read(
                after,
                limit,
                maxBytes,
                (reads, connection, from, bounds) -> reads.events(connection, orgId, from, bounds),
                StoredEvent::event);
    }

    private Ingestion answered(
            EventRow row, GroupedWrites.Answer<StoredEvent> answer, EpochGuardedCache.@Nullable Epoch before) {
        if (answer instanceof GroupedWrites.Answer.Failed<StoredEvent> failed) {
            return new Ingestion.Failed(failed.cause());
        }
        StoredEvent stored = ((GroupedWrites.Answer.There<StoredEvent>) answer).stored();
        boolean same = stored.whole().equals(row.entry().text());
        if (same) {
            keep(row, stored, before);
        }
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

    private void keep(EventRow row, StoredEvent stored, EpochGuardedCache.@Nullable Epoch before) {
        if (before == null) {
            return;
        }
        byte[] bytes = ByteBuffer.allocate(24)
                .putLong(stored.id().getMostSignificantBits())
                .putLong(stored.id().getLeastSignificantBits())
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, stored.createdAt()))
                .array();
        cache.keep(
                before,
                row.ref(),
                new ReplayCache.Entry(Status.SUCCEEDED, fingerprint(row.entry()), new StoredResult(CACHED, bytes)),
                null);
    }

    /** Only for the very same text: whatever else was sent, the database is asked, and they are compared. */
    private static Optional<Ingestion> replayed(LedgerEntry entry, ReplayCache.Entry known) {
        StoredResult result = known.result();
        if (result == null
                || !result.type().equals(CACHED)
                || result.size() != 24
                || !known.fingerprint().equals(fingerprint(entry))) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(result.bytes());
        LedgerEvent event =
                new LedgerEvent(new UUID(bytes.getLong(), bytes.getLong()), Reads.moment(bytes.getLong()), entry);
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

    /** Nothing and an empty text differ. */
    private static String marked(@Nullable String value) {
        return value == null ? "-" : "+" + value;
    }
}
