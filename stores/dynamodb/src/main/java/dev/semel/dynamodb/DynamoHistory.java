// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The history as items of the table, listed by the index of claims, which is eventually consistent. An operator's decision and its entry
 * are one transaction.
 */
final class DynamoHistory implements HistoryStore {
    private static final int TRIES = 8;

    /** How long until it is asked again whether a claim with a number of replays still exists. */
    private static final long ASK_AGAIN = Duration.ofDays(1).toSeconds() * DynamoClock.SECOND;

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoSettlements settlements;
    private final DynamoIndexes indexes;
    private final DynamoListedCheck listed;
    private final AtomicLong lastId = new AtomicLong();

    DynamoHistory(DynamoCalls calls, DynamoReads reads, DynamoSettlements settlements, DynamoListedCheck listed) {
        this.calls = calls;
        this.reads = reads;
        this.settlements = settlements;
        this.indexes = new DynamoIndexes(calls);
        this.listed = listed;
    }

    /** The time in microseconds, or a little more: ids grow, and are exact in JSON. */
    private long nextId(ClockReading now) {
        return lastId.updateAndGet(last -> Math.max(last + 1, now.latest()));
    }

    /** Adds the items of a new entry to a transaction. If its id is used already, the transaction does not hold. */
    void write(DynamoWrites writes, HistoryEntry entry, ClockReading now) {
        long id = nextId(now);
        AttributeValue ofClaim = DynamoEntry.ofClaim(entry.ref());
        writes.insert(DynamoEntry.due(DynamoEntry.item(ofClaim, entry, id, now.latest()), entry, now.latest()));
        if (entry.kind().isDecision()) {
            AttributeValue ofTenant = DynamoEntry.ofTenant(entry.ref().tenant());
            writes.insert(DynamoEntry.item(ofTenant, entry, id, now.latest()));
        }
    }

    @Override
    public Verdict decide(Command.Settle decision, HistoryEntry entry) {
        HistoryStore.checkDecision(decision, entry);
        return DynamoFutures.await(calls.time()
                .thenCompose(any -> reads.row(decision.ref()))
                // Its answer may have shown that the time was wrong.
                .thenCompose(
                        found -> calls.time().thenCompose(any -> decide(decision, entry, found.orElse(null), TRIES))));
    }

    private CompletableFuture<Verdict> decide(
            Command.Settle decision, HistoryEntry entry, @Nullable DynamoRow row, int tries) {
        if (row == null || !mayDecide(decision, row)) {
            return reads.verdict(decision, row, StoredResult.MAX_BYTES);
        }
        if (tries == 0) {
            return CompletableFuture.failedFuture(new StoreException(
                    StoreException.Kind.BUSY, "The claim kept changing while a decision about it was written"));
        }
        return settlements
                .write(decision)
                .thenCompose(chunked -> calls.transact(() -> {
                            ClockReading now = calls.now();
                            DynamoWrites writes = new DynamoWrites(calls.table());
                            DynamoUpdate settled = settlements.update(decision, chunked != null);
                            writes.update(decision.ref(), row.unchanged().and(settled));
                            write(writes, entry, now);
                            return writes.items();
                        })
                        .thenCompose(done -> reads.row(decision.ref())
                                .thenCompose(after -> done && after.isPresent()
                                        ? settlements.confirmed(decision, after.get(), chunked, StoredResult.MAX_BYTES)
                                        : decide(decision, entry, after.orElse(null), tries - 1))));
    }

    /** Nobody works on it: it is parked, or its lease has ended. */
    private boolean mayDecide(Command.Settle decision, DynamoRow row) {
        boolean open = row.token().equals(decision.expected()) && row.status().isOpen() && row.aliasOf() == null;
        return open && (row.status() != Status.IN_PROGRESS || row.isLapsed(calls.now()));
    }

    @Override
    public void add(List<HistoryEntry> entries) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (HistoryEntry entry : entries) {
            all.add(calls.time().thenCompose(any -> add(entry, TRIES)));
        }
        DynamoFutures.await(DynamoFutures.all(all));
    }

    private CompletableFuture<Boolean> add(HistoryEntry entry, int tries) {
        return calls.transact(() -> {
                    DynamoWrites writes = new DynamoWrites(calls.table());
                    write(writes, entry, calls.now());
                    return writes.items();
                })
                .thenCompose(done -> {
                    if (done || tries > 0) {
                        return done ? CompletableFuture.completedFuture(true) : add(entry, tries - 1);
                    }
                    return CompletableFuture.failedFuture(new StoreException(
                            StoreException.Kind.BUSY, "Other processes kept using the ids of new entries"));
                });
    }

    @Override
    public void addReplays(Map<ClaimRef, Long> replays) {
        HistoryStore.checkReplays(replays);
        long now = DynamoFutures.await(calls.time()).latest();
        List<CompletableFuture<DynamoCalls.Conditional>> all = new ArrayList<>();
        replays.forEach((ref, count) -> all.add(calls.update(
                DynamoEntry.replaysOf(ref),
                () -> DynamoUpdate.onlyIf("")
                        .then("""
                                SET #due_at = if_not_exists(#due_at, :now), #due_shard = :shard, #tenant = :tenant,
                                    #entry_of = :claim ADD #replays :count""")
                        .with(":now", number(now))
                        .with(":shard", number(DynamoEntry.DUE_REPLAYS))
                        .with(":tenant", text(ref.tenant()))
                        .with(":claim", bytes(ref.digest().bytes()))
                        .with(":count", number(count)))));
        DynamoFutures.await(DynamoFutures.all(all));
    }

    @Override
    public long replays(ClaimRef ref) {
        Long count = DynamoValues.numberOrNull(DynamoFutures.await(calls.get(DynamoEntry.replaysOf(ref))), "replays");
        return count == null ? 0 : count;
    }

    @Override
    public List<HistoryEntry> history(ClaimRef ref, int limit) {
        return newest(DynamoEntry.ofClaim(ref), null, limit);
    }

    @Override
    public List<HistoryEntry> decisions(String tenant, @Nullable Long before, int limit) {
        return newest(DynamoEntry.ofTenant(tenant), before, limit);
    }

    private List<HistoryEntry> newest(AttributeValue partition, @Nullable Long before, int limit) {
        HistoryStore.checkLimit(limit);
        listed.require();
        long end = before == null ? Long.MAX_VALUE : Math.max(before, 1);
        List<Map<String, AttributeValue>> keys = new DynamoNewest(
                        indexes,
                        List.of(partition),
                        DynamoListing.first(0),
                        DynamoListing.before(DynamoListing.first(end)))
                .next(limit).stream()
                        .map(entry -> DynamoEntry.keyOf(partition, entry.createdAt()))
                        .toList();
        return keys.isEmpty()
                ? List.of()
                : DynamoFutures.await(calls.getAll(keys)).stream()
                        .map(DynamoEntry::of)
                        .sorted(Comparator.comparingLong(HistoryEntry::id).reversed())
                        .toList();
    }

    @Override
    public int purge(Duration history, @Nullable Duration decisions, int limit) {
        long now = DynamoFutures.await(calls.time()).latest();
        int deleted = deleteOld(DynamoEntry.DUE_ENTRIES, now, history, limit);
        if (decisions != null) {
            deleted += deleteOld(DynamoEntry.DUE_DECISIONS, now, decisions, limit);
        }
        return deleted + deleteReplays(now, limit);
    }

    private int deleteOld(int shard, long now, Duration age, int limit) {
        long until = now - DynamoTransitions.micros(age);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        List<Map<String, AttributeValue>> keys = DynamoFutures.await(indexes.due(shard, until, limit));
        for (Map<String, AttributeValue> item : found(keys)) {
            HistoryEntry entry = DynamoEntry.of(item);
            // The copy first: if the process ends in between, the entry is found again.
            CompletableFuture<Void> copy = entry.kind().isDecision()
                    ? calls.deleteAlways(
                            DynamoEntry.keyOf(DynamoEntry.ofTenant(entry.ref().tenant()), entry.id()))
                    : CompletableFuture.completedFuture(null);
            all.add(copy.thenCompose(
                    any -> calls.deleteAlways(DynamoEntry.keyOf(DynamoEntry.ofClaim(entry.ref()), entry.id()))));
        }
        return DynamoFutures.await(DynamoFutures.all(all)).size();
    }

    private List<Map<String, AttributeValue>> found(List<Map<String, AttributeValue>> keys) {
        return keys.isEmpty() ? List.of() : DynamoFutures.await(calls.getAll(keys));
    }

    /** Of claims that do not exist any more. Those of the others are asked about again a day later. */
    private int deleteReplays(long now, int limit) {
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        List<Map<String, AttributeValue>> keys =
                DynamoFutures.await(indexes.due(DynamoEntry.DUE_REPLAYS, now, Math.max(limit, MAX_ENTRIES)));
        int deleted = 0;
        for (Map<String, AttributeValue> item : found(keys)) {
            if (deleted + all.size() == limit) {
                deleted += counted(all);
                all.clear();
            }
            if (deleted == limit) {
                break;
            }
            all.add(deleteIfAbsent(item, now));
        }
        return deleted + counted(all);
    }

    private static int counted(List<CompletableFuture<Boolean>> all) {
        return Math.toIntExact(DynamoFutures.await(DynamoFutures.all(all)).stream()
                .filter(done -> done)
                .count());
    }

    private CompletableFuture<Boolean> deleteIfAbsent(Map<String, AttributeValue> item, long now) {
        Map<String, AttributeValue> key = Map.of(DynamoRow.KEY, bytes(bytes(item, DynamoRow.KEY)));
        ClaimRef ref = new ClaimRef(text(item, "tenant"), new Digest(bytes(item, "entry_of")));
        return reads.row(ref)
                .thenCompose(row -> row.isEmpty()
                        ? calls.deleteAlways(key).thenApply(any -> true)
                        : calls.update(
                                        key,
                                        () -> DynamoUpdate.onlyIf("attribute_exists(#replays)")
                                                .then("SET #due_at = :later")
                                                .with(":later", number(now + ASK_AGAIN)))
                                .thenApply(any -> false));
    }
}
