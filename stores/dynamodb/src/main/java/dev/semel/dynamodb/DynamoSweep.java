// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.number;

import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.spi.HistoryEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One sweep of limited size. The index shows the rows that may be due. Each one is read consistently, and changed or deleted on the
 * condition that it is still the same. A row that is not over yet gets a later due time.
 */
final class DynamoSweep {
    /** The maximum number of pointers that are deleted in one transaction with their record. */
    private static final int POINTERS_AT_ONCE = 90;

    /** A small sweep reads at least as many rows of a part, so that a few due rows need one sweep only. */
    private static final int FEWEST_OF_A_PART = 64;

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoChunks chunks;
    private final DynamoIndexes indexes;
    private final DynamoHistory history;

    DynamoSweep(DynamoCalls calls, DynamoReads reads, DynamoChunks chunks, DynamoHistory history) {
        this.history = history;
        this.calls = calls;
        this.reads = reads;
        this.chunks = chunks;
        this.indexes = new DynamoIndexes(calls);
    }

    private enum Done {
        DELETED,
        RELEASED,
        PARKED,
        NOTHING
    }

    /** Reads all parts of the index at once, some rows of each, and sweeps as many of these as the limit allows. */
    CompletableFuture<SweepReport> run(int limit) {
        return calls.time().thenCompose(now -> run(limit, now));
    }

    private CompletableFuture<SweepReport> run(int limit, ClockReading now) {
        int most = Math.min(limit, Math.max(FEWEST_OF_A_PART, 2 * limit / DynamoRow.SHARDS));
        List<CompletableFuture<List<Map<String, AttributeValue>>>> parts = new ArrayList<>();
        for (int shard = 0; shard < DynamoRow.SHARDS; shard++) {
            parts.add(indexes.due(shard, now.over(), most));
        }
        return DynamoFutures.all(parts).thenCompose(found -> {
            List<Map<String, AttributeValue>> keys = interleaved(found);
            boolean more = keys.size() >= limit || found.stream().anyMatch(part -> part.size() == most);
            return sweep(keys.subList(0, Math.min(limit, keys.size())), now)
                    .thenApply(swept -> new SweepReport(swept.deleted(), swept.released(), swept.parked(), more));
        });
    }

    /** The earliest rows of all parts come first, so that no part waits for the others. */
    private static List<Map<String, AttributeValue>> interleaved(List<List<Map<String, AttributeValue>>> parts) {
        List<Map<String, AttributeValue>> all = new ArrayList<>();
        int longest = parts.stream().mapToInt(List::size).max().orElse(0);
        for (int i = 0; i < longest; i++) {
            for (List<Map<String, AttributeValue>> part : parts) {
                if (i < part.size()) {
                    all.add(part.get(i));
                }
            }
        }
        return all;
    }

    private CompletableFuture<SweepReport> sweep(List<Map<String, AttributeValue>> keys, ClockReading now) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(SweepReport.NOTHING);
        }
        return calls.getAll(
                        keys.stream().filter(key -> !DynamoChunks.isChunk(key)).toList())
                .thenCombine(
                        chunks.heads(keys.stream().filter(DynamoChunks::isChunk).toList()), (rows, heads) -> {
                            List<CompletableFuture<Done>> all = new ArrayList<>();
                            rows.forEach(row -> all.add(sweep(new DynamoRow(row), now)));
                            heads.forEach(
                                    head -> all.add(chunks.sweep(head, now).thenApply(any -> Done.NOTHING)));
                            return all.stream()
                                    .map(done -> done.exceptionally(DynamoSweep::leftIfBusy))
                                    .toList();
                        })
                .thenCompose(DynamoFutures::all)
                .thenApply(DynamoSweep::report);
    }

    private static SweepReport report(List<Done> all) {
        int deleted = 0;
        int released = 0;
        int parked = 0;
        for (Done done : all) {
            switch (done) {
                case DELETED -> deleted++;
                case RELEASED -> released++;
                case PARKED -> parked++;
                case NOTHING -> {}
            }
        }
        return new SweepReport(deleted, released, parked, false);
    }

    /** A row that a transaction is about is left to the next sweep. */
    private static Done leftIfBusy(Throwable failure) {
        if (DynamoErrors.unwrapped(failure) instanceof StoreException known
                && known.kind() == StoreException.Kind.BUSY) {
            return Done.NOTHING;
        }
        throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
    }

    private CompletableFuture<Done> sweep(DynamoRow row, ClockReading now) {
        Long due = row.dueAt();
        if (due == null || !now.isOver(due)) {
            return CompletableFuture.completedFuture(Done.NOTHING);
        }
        if (row.aliasOf() != null) {
            return deletePointers(row).thenApply(any -> Done.NOTHING);
        }
        if (row.isExpired(now)) {
            return delete(row).thenApply(gone -> gone ? Done.DELETED : Done.NOTHING);
        }
        if (row.isAbandoned(now)) {
            DynamoRow after = new DynamoRow(DynamoTransitions.abandoned(row, now));
            return after.status() == Status.UNKNOWN
                    ? park(row, after, now)
                    : calls.update(DynamoRow.keyOf(row.ref().digest()), () -> row.changesTo(after.item()))
                            .thenApply(written -> written.held() ? Done.RELEASED : Done.NOTHING);
        }
        return postpone(row, due, row.nextDue(now)).thenApply(any -> Done.NOTHING);
    }

    /** With an entry in the history: nobody settles such a claim, so no owner reports it. */
    private CompletableFuture<Done> park(DynamoRow row, DynamoRow after, ClockReading now) {
        HistoryEntry entry =
                HistoryEntry.parked(row.ref(), row.scope(), row.fence(), row.attempt(), SweepReport.ABANDONED);
        return calls.transact(() -> {
                    DynamoWrites writes = new DynamoWrites(calls.table());
                    writes.update(row.ref(), row.changesTo(after.item()));
                    history.write(writes, entry, now);
                    return writes.items();
                })
                .thenApply(written -> written ? Done.PARKED : Done.NOTHING);
    }

    private CompletableFuture<Void> postpone(DynamoRow row, long due, @Nullable Long next) {
        DynamoUpdate still = DynamoUpdate.onlyIf("#due_at = :seen_due").with(":seen_due", number(due));
        DynamoUpdate update = next == null
                ? still.then("REMOVE #due_at, #due_shard")
                : still.then("SET #due_at = :next").with(":next", number(next));
        return calls.update(
                        DynamoRow.keyOf(row.ref().digest()),
                        () -> row.unchanged().and(update))
                .thenAccept(any -> {});
    }

    /** Deletes the record with its pointers, all or none: a pointer without its record must not be deleted while it is a new claim's. */
    private CompletableFuture<Boolean> delete(DynamoRow record) {
        CompletableFuture<Boolean> gone = record.pointers().isEmpty()
                ? calls.delete(DynamoRow.keyOf(record.ref().digest()), record.unchangedWithPointers())
                        .thenApply(DynamoCalls.Conditional::held)
                : reads.pointersOf(record).thenCompose(pointers -> deleteAll(record, pointers));
        return gone.thenCompose(done ->
                done ? chunks.deleteOf(record).thenApply(any -> true) : CompletableFuture.completedFuture(false));
    }

    private CompletableFuture<Boolean> deleteAll(DynamoRow record, List<DynamoRow> pointers) {
        if (pointers.size() > POINTERS_AT_ONCE) {
            // So many pointers were added over time: some are deleted now, the record with the last ones later.
            return transact(pointers.subList(0, POINTERS_AT_ONCE), null, record).thenApply(any -> false);
        }
        return transact(pointers, record, null);
    }

    private CompletableFuture<Boolean> transact(
            List<DynamoRow> pointers, @Nullable DynamoRow deleted, @Nullable DynamoRow checked) {
        return calls.transact(() -> {
            DynamoWrites writes = new DynamoWrites(calls.table());
            pointers.forEach(pointer -> writes.delete(pointer.ref(), pointer.unchanged()));
            if (deleted != null) {
                writes.delete(deleted.ref(), deleted.unchangedWithPointers());
            }
            if (checked != null) {
                writes.check(checked.ref(), checked.unchanged());
            }
            return writes.items();
        });
    }

    /** Deletes the rows that point to this one, which has become a pointer itself. Chains are not followed. */
    private CompletableFuture<Void> deletePointers(DynamoRow row) {
        return reads.pointersOf(row).thenCompose(pointers -> {
            List<DynamoRow> some = pointers.subList(0, Math.min(pointers.size(), POINTERS_AT_ONCE));
            if (some.size() < pointers.size()) {
                return transact(some, null, row).thenAccept(any -> {});
            }
            return calls.transact(() -> {
                        DynamoWrites writes = new DynamoWrites(calls.table());
                        some.forEach(pointer -> writes.delete(pointer.ref(), pointer.unchanged()));
                        writes.update(
                                row.ref(), row.unchangedWithPointers().then("REMOVE #aliases, #due_at, #due_shard"));
                        return writes.items();
                    })
                    .thenAccept(any -> {});
        });
    }
}
