// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.spi.Alias;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Inserts with aliases, and take-overs of pointers without a record. The rows are read, and one transaction writes what {@link
 * AliasPlan} decides, on the condition that they are still the same. If not, they are read again. A duplicate costs a read only.
 */
final class DynamoAliases {
    private static final int ROUNDS = 16;
    private static final int LONGEST_PAUSE_MILLIS = 20;

    /** DynamoDB's limit of items in a transaction. */
    private static final int MOST_ITEMS = 100;

    private final DynamoCalls calls;
    private final DynamoReads reads;

    DynamoAliases(DynamoCalls calls, DynamoReads reads) {
        this.calls = calls;
        this.reads = reads;
    }

    CompletableFuture<Verdict> apply(Command.Insert insert, int largest) {
        return attempt(insert, largest, 0);
    }

    private CompletableFuture<Verdict> attempt(Command.Insert insert, int largest, int round) {
        return calls.time()
                .thenCompose(any -> reads.rowsAndTargets(insert.refs()))
                .thenCompose(rows -> carryOut(insert, rows, largest, round));
    }

    private CompletableFuture<Verdict> carryOut(
            Command.Insert insert, Map<ClaimRef, DynamoRow> rows, int largest, int round) {
        ClockReading now = now();
        Map<ClaimRef, Snapshot> seen = new HashMap<>();
        rows.forEach((ref, row) -> seen.put(ref, row.snapshot(now, row.result())));
        AliasPlan plan = AliasPlan.of(insert, seen);
        if (plan instanceof AliasPlan.Conflict conflict) {
            return conflict(insert, conflict, rows, largest);
        }
        if (plan instanceof AliasPlan.Claim claim) {
            AtomicReference<@Nullable DynamoRow> made = new AtomicReference<>();
            return calls.transact(() -> {
                        ClockReading then = now();
                        made.set(record(insert, rows.get(insert.ref()), then));
                        return claim(insert, claim, rows, then);
                    })
                    .thenCompose(done -> done
                            ? CompletableFuture.completedFuture(reads.applied(Objects.requireNonNull(made.get()), null))
                            : again(insert, largest, round));
        }
        AliasPlan.Link link = (AliasPlan.Link) plan;
        DynamoRow record = Objects.requireNonNull(rows.get(link.record().ref()));
        if (link.pointers().isEmpty()) {
            return reads.verdict(insert, record, largest);
        }
        return calls.transact(() -> link(insert, link, record, rows, now()))
                .thenCompose(done -> done ? reads.verdict(insert, record, largest) : again(insert, largest, round));
    }

    private ClockReading now() {
        ClockReading now = calls.clock().now();
        if (now == null) {
            throw new StoreException(StoreException.Kind.BUSY, "DynamoDB's time has just become unknown");
        }
        return now;
    }

    private CompletableFuture<Verdict> again(Command.Insert insert, int largest, int round) {
        if (round == ROUNDS) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.BUSY, "The rows of an aliased claim kept changing"));
        }
        int pause = ThreadLocalRandom.current().nextInt(1 + Math.min(round * 2, LONGEST_PAUSE_MILLIS));
        Executor later = CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS);
        return CompletableFuture.runAsync(() -> {}, later).thenCompose(any -> attempt(insert, largest, round + 1));
    }

    private static DynamoRow record(Command.Insert insert, @Nullable DynamoRow free, ClockReading now) {
        return new DynamoRow(
                free == null ? DynamoTransitions.inserted(insert, now) : DynamoTransitions.begun(free, insert, now));
    }

    private List<TransactWriteItem> claim(
            Command.Insert insert, AliasPlan.Claim claim, Map<ClaimRef, DynamoRow> rows, ClockReading now) {
        DynamoWrites writes = new DynamoWrites(calls.table());
        DynamoRow free = rows.get(insert.ref());
        DynamoRow record = record(insert, free, now);
        AttributeValue pointers = DynamoTransitions.digests(
                claim.pointers().stream().map(Alias::ref).toList());
        if (free == null) {
            Map<String, AttributeValue> item = new HashMap<>(record.item());
            if (!claim.pointers().isEmpty()) {
                item.put("aliases", pointers);
            }
            writes.insert(insert.ref(), item);
        } else {
            DynamoUpdate changes = free.changesTo(record.item());
            writes.update(
                    insert.ref(),
                    claim.pointers().isEmpty()
                            ? changes
                            : changes.then(changes.update() + " ADD #aliases :pointers")
                                    .with(":pointers", pointers));
        }
        pointers(writes, insert, claim.pointers(), insert.ref(), rows, now);
        check(writes, free, rows);
        return bounded(writes);
    }

    private List<TransactWriteItem> link(
            Command.Insert insert,
            AliasPlan.Link link,
            DynamoRow record,
            Map<ClaimRef, DynamoRow> rows,
            ClockReading now) {
        DynamoWrites writes = new DynamoWrites(calls.table());
        // Not on the lease: the record's owner may renew it meanwhile.
        writes.update(
                record.ref(),
                DynamoUpdate.onlyIf("#tenant = :tenant AND #claim_nonce = :nonce AND attribute_not_exists(#alias_of)")
                        .then("ADD #aliases :pointers")
                        .with(":tenant", text(record.tenant()))
                        .with(":nonce", bytes(record.token().bytes()))
                        .with(
                                ":pointers",
                                DynamoTransitions.digests(
                                        link.pointers().stream().map(Alias::ref).toList())));
        pointers(writes, insert, link.pointers(), record.ref(), rows, now);
        return bounded(writes);
    }

    private static void pointers(
            DynamoWrites writes,
            Command.Insert insert,
            List<Alias> aliases,
            ClaimRef record,
            Map<ClaimRef, DynamoRow> rows,
            ClockReading now) {
        for (Alias alias : aliases) {
            DynamoRow free = rows.get(alias.ref());
            Map<String, AttributeValue> pointer = DynamoTransitions.pointer(alias, insert, record, free, now);
            if (free == null) {
                writes.insert(alias.ref(), pointer);
            } else {
                writes.update(alias.ref(), free.changesTo(pointer));
            }
        }
        for (Alias alias : aliases) {
            check(writes, rows.get(alias.ref()), rows);
        }
    }

    /** A row that points to no record is free only as long as there is none. */
    private static void check(DynamoWrites writes, @Nullable DynamoRow free, Map<ClaimRef, DynamoRow> rows) {
        ClaimRef target = free == null ? null : free.aliasOf();
        if (target != null) {
            DynamoRow seen = rows.get(target);
            writes.check(target, seen == null ? DynamoWrites.ABSENT : seen.unchanged());
        }
    }

    private static List<TransactWriteItem> bounded(DynamoWrites writes) {
        if (writes.items().size() > MOST_ITEMS) {
            throw new StoreException(
                    StoreException.Kind.REJECTED,
                    "The claim has too many keys: DynamoDB writes at most %d items in one transaction"
                            .formatted(MOST_ITEMS));
        }
        return writes.items();
    }

    /** Both records are marked with each other. Each record keeps its first conflict. */
    private CompletableFuture<Verdict> conflict(
            Command.Insert insert, AliasPlan.Conflict conflict, Map<ClaimRef, DynamoRow> rows, int largest) {
        DynamoRow record = Objects.requireNonNull(rows.get(conflict.record().ref()));
        DynamoRow other = Objects.requireNonNull(rows.get(conflict.other().ref()));
        return note(record, other)
                .thenCompose(any -> note(other, record))
                .thenCompose(any -> conflict.verdict(insert) instanceof Verdict.Applied applied
                        ? CompletableFuture.completedFuture(applied)
                        : reads.shown(record, largest)
                                .thenApply(shown -> new Verdict.Refused(
                                        shown.orElse(conflict.record()),
                                        conflict.other().ref())));
    }

    private CompletableFuture<Optional<DynamoRow>> note(DynamoRow row, DynamoRow other) {
        if (row.item().containsKey("alias_conflict")) {
            return CompletableFuture.completedFuture(Optional.of(row));
        }
        return calls.update(
                        DynamoRow.keyOf(row.ref().digest()),
                        () -> DynamoUpdate.onlyIf("""
                                        #tenant = :tenant AND #claim_nonce = :nonce AND attribute_not_exists(#alias_of)
                                        AND attribute_not_exists(#alias_conflict)""")
                                .then("SET #alias_conflict = :other")
                                .with(":tenant", text(row.tenant()))
                                .with(":nonce", bytes(row.token().bytes()))
                                .with(":other", bytes(other.ref().digest().bytes())))
                .thenApply(any -> Optional.of(row));
    }

    /** A pointer without a record becomes a record itself. */
    CompletableFuture<Verdict> takeOver(
            Command.TakeOver takeOver, DynamoRow pointer, int largest, Supplier<CompletableFuture<Verdict>> again) {
        ClaimRef target = Objects.requireNonNull(pointer.aliasOf());
        return reads.row(target).thenCompose(found -> {
            ClockReading now = now();
            DynamoRow seen = found.orElse(null);
            if (takeOver.record() == null || !AliasPlan.leadsNowhere(seen == null ? null : seen.snapshot(now, null))) {
                return reads.verdict(takeOver, pointer, largest);
            }
            DynamoRow after = new DynamoRow(DynamoTransitions.takenOver(pointer, takeOver, now));
            return calls.transact(() -> {
                        DynamoWrites writes = new DynamoWrites(calls.table());
                        writes.update(pointer.ref(), pointer.changesTo(after.item()));
                        writes.check(target, seen == null ? DynamoWrites.ABSENT : seen.unchanged());
                        return writes.items();
                    })
                    .thenCompose(
                            done -> done ? CompletableFuture.completedFuture(reads.applied(after, null)) : again.get());
        });
    }
}
