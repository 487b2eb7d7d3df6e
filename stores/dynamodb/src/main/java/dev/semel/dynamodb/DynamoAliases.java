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

    private final DynamoCalls calls;
    private final DynamoReads reads;

    DynamoAliases(DynamoCalls calls, DynamoReads reads) {
        this.calls = calls;
        this.reads = reads;
    }

    /** @param acquirer carries out the claim if all its rows are free */
    CompletableFuture<Verdict> apply(Command.Insert insert, int largest, DynamoGrant.Acquirer acquirer) {
        return attempt(insert, largest, acquirer, 0);
    }

    private CompletableFuture<Verdict> attempt(
            Command.Insert insert, int largest, DynamoGrant.Acquirer acquirer, int round) {
        return calls.time()
                .thenCompose(any -> reads.rowsAndTargets(insert.refs()))
                // Its answer may have shown that the time was wrong.
                .thenCompose(rows -> calls.time().thenCompose(any -> carryOut(insert, rows, largest, acquirer)))
                .thenCompose(verdict -> verdict.isPresent()
                        ? CompletableFuture.completedFuture(verdict.get())
                        : again(insert, largest, acquirer, round));
    }

    /** Empty if the rows have changed since they were read. */
    private CompletableFuture<Optional<Verdict>> carryOut(
            Command.Insert insert, Map<ClaimRef, DynamoRow> rows, int largest, DynamoGrant.Acquirer acquirer) {
        ClockReading now = calls.now();
        Map<ClaimRef, Snapshot> seen = new HashMap<>();
        rows.forEach((ref, row) -> seen.put(ref, row.snapshot(now, row.result())));
        AliasPlan plan = AliasPlan.of(insert, seen);
        if (plan instanceof AliasPlan.Conflict conflict) {
            return conflict(insert, conflict, rows, largest).thenApply(Optional::of);
        }
        if (plan instanceof AliasPlan.Claim claim) {
            return acquirer.acquire(grant(insert, claim, rows));
        }
        AliasPlan.Link link = (AliasPlan.Link) plan;
        DynamoRow record = Objects.requireNonNull(rows.get(link.record().ref()));
        if (link.pointers().isEmpty()) {
            return reads.verdict(insert, record, largest).thenApply(Optional::of);
        }
        return calls.transact(() -> link(insert, link, record, rows, calls.now()))
                .thenCompose(done -> done
                        ? reads.verdict(insert, record, largest).thenApply(Optional::of)
                        : CompletableFuture.completedFuture(Optional.empty()));
    }

    private CompletableFuture<Verdict> again(
            Command.Insert insert, int largest, DynamoGrant.Acquirer acquirer, int round) {
        if (round == ROUNDS) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.BUSY, "The rows of an aliased claim kept changing"));
        }
        return calls.pause(Math.min(round * 2, LONGEST_PAUSE_MILLIS))
                .thenCompose(any -> attempt(insert, largest, acquirer, round + 1));
    }

    private static DynamoGrant grant(Command.Insert insert, AliasPlan.Claim claim, Map<ClaimRef, DynamoRow> rows) {
        DynamoRow free = rows.get(insert.ref());
        List<ClaimRef> pointers = claim.pointers().stream().map(Alias::ref).toList();
        return new DynamoGrant(
                free,
                now -> free == null
                        ? DynamoTransitions.inserted(insert, now)
                        : DynamoTransitions.begun(free, insert, now),
                pointers.isEmpty() ? null : DynamoTransitions.digests(pointers),
                (writes, now) -> {
                    pointers(writes, insert, claim.pointers(), insert.ref(), rows, now);
                    check(writes, free, rows);
                },
                false);
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
                        .then("ADD #aliases :pointers REMOVE #ttl_at, #ttl_seconds")
                        .with(":tenant", text(record.tenant()))
                        .with(":nonce", bytes(record.token().bytes()))
                        .with(
                                ":pointers",
                                DynamoTransitions.digests(
                                        link.pointers().stream().map(Alias::ref).toList())));
        pointers(writes, insert, link.pointers(), record.ref(), rows, now);
        return writes.bounded();
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

    /** A pointer without a record becomes a record itself. Empty if the rows have changed since they were read. */
    CompletableFuture<Optional<Verdict>> takeOver(
            Command.TakeOver takeOver, DynamoRow pointer, int largest, DynamoGrant.Acquirer acquirer) {
        ClaimRef target = Objects.requireNonNull(pointer.aliasOf());
        return reads.row(target).thenCompose(found -> {
            DynamoRow seen = found.orElse(null);
            if (takeOver.record() == null
                    || !AliasPlan.leadsNowhere(seen == null ? null : seen.snapshot(calls.now(), null))) {
                return reads.verdict(takeOver, pointer, largest).thenApply(Optional::of);
            }
            return acquirer.acquire(new DynamoGrant(
                    pointer,
                    now -> DynamoTransitions.takenOver(pointer, takeOver, now),
                    null,
                    (writes, now) -> writes.check(target, seen == null ? DynamoWrites.ABSENT : seen.unchanged()),
                    false));
        });
    }
}
