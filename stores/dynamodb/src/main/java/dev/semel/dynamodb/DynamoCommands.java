// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Commands about one row. Inserts, renewals and settlements are one conditional write, which returns the existing item if it is
 * refused. Take-overs and commands that give back are rare: they read the row, and change it if it is still the same.
 */
final class DynamoCommands {
    private static final int TRIES = 8;

    private static final String OWNED = "#claim_nonce = :expected AND #tenant = :tenant AND #status = :in_progress";

    /**
     * A delayed renewal never shortens the lease of a later one, which is as long. A renewal that is overtaken in this way counts as
     * applied. A lease of another length replaces the earlier one.
     */
    private static final String RENEWED_WITHIN_RUN =
            OWNED + " AND #run_until >= :until AND (#lease_until <= :until OR #lease_micros <> :lease)";

    private static final String RENEWED_TO_END_OF_RUN = OWNED + " AND #run_until < :until";

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoChunks chunks;
    private final DynamoSettlements settlements;
    private final DynamoAliases aliases;

    DynamoCommands(DynamoCalls calls, DynamoReads reads, DynamoChunks chunks) {
        this.calls = calls;
        this.reads = reads;
        this.chunks = chunks;
        this.settlements = new DynamoSettlements(calls, reads, chunks);
        this.aliases = new DynamoAliases(calls, reads);
    }

    DynamoSettlements settlements() {
        return settlements;
    }

    /** @param largest the maximum number of bytes of a result in the verdict */
    CompletableFuture<Verdict> apply(Command command, int largest) {
        if (command instanceof Command.Insert insert && insert.aliases().isEmpty()) {
            return insert(insert, largest);
        }
        if (command instanceof Command.Insert || command instanceof Command.TakeOver) {
            return acquire(command, largest, this::carriedOut);
        }
        if (command instanceof Command.Renew renew) {
            return renew(renew, largest, TRIES);
        }
        if (command instanceof Command.GiveBack back) {
            return giveBack(back, largest, TRIES);
        }
        return settlements.settle((Command.Settle) command, largest);
    }

    /** @param acquirer carries out the insert or the take-over, if the rows allow it */
    CompletableFuture<Verdict> acquire(Command command, int largest, DynamoGrant.Acquirer acquirer) {
        return command instanceof Command.TakeOver takeOver
                ? takeOver(takeOver, largest, acquirer, TRIES)
                : aliases.apply((Command.Insert) command, largest, acquirer);
    }

    /** One row is an update, several are a transaction. */
    private CompletableFuture<Optional<Verdict>> carriedOut(DynamoGrant grant) {
        DynamoRow before = grant.before();
        if (before != null && grant.alone()) {
            return changed(before, () -> grant.after().apply(calls.now()))
                    .thenCompose(written -> written.held()
                            ? deleted(before)
                                    .thenCompose(any -> applied(written))
                                    .thenApply(Optional::of)
                            : CompletableFuture.completedFuture(Optional.empty()));
        }
        AtomicReference<@Nullable DynamoRow> made = new AtomicReference<>();
        return calls.transact(() -> {
                    ClockReading now = calls.now();
                    DynamoRow after = new DynamoRow(grant.after().apply(now));
                    made.set(after);
                    return grant.writes(calls.table(), after, now);
                })
                .thenApply(done ->
                        done ? Optional.of(reads.applied(Objects.requireNonNull(made.get()), null)) : Optional.empty());
    }

    private CompletableFuture<Verdict> insert(Command.Insert insert, int largest) {
        return calls.time()
                .thenCompose(
                        any -> calls.put(() -> DynamoTransitions.inserted(insert, calls.now()), DynamoWrites.ABSENT))
                .thenCompose(written -> written.held()
                        ? applied(written)
                        : reads.verdict(insert, DynamoReads.rowOf(insert.ref(), written.item()), largest));
    }

    private CompletableFuture<Verdict> applied(DynamoCalls.Conditional written) {
        return CompletableFuture.completedFuture(reads.applied(new DynamoRow(written.item()), written.date()));
    }

    private CompletableFuture<Verdict> renew(Command.Renew renew, int largest, int tries) {
        long lease = DynamoTransitions.micros(renew.lease());
        AtomicLong until = new AtomicLong();
        return calls.time()
                .thenCompose(any -> calls.update(DynamoRow.keyOf(renew.ref().digest()), () -> {
                    until.set(untilOf(lease));
                    return owned(RENEWED_WITHIN_RUN, renew)
                            .with(":until", number(until.get()))
                            .with(":lease", number(lease))
                            .then("SET #lease_until = :until, #lease_micros = :lease");
                }))
                .thenCompose(written -> {
                    DynamoRow row = DynamoReads.rowOf(renew.ref(), written.item());
                    if (written.held()) {
                        return applied(written);
                    }
                    return row != null && isOwnedBy(renew, row) && row.runUntil() < until.get() && tries > 0
                            ? renewToEndOfRun(renew, until.get(), largest, tries)
                            : reads.verdict(renew, row, largest);
                });
    }

    /** A lease of zero is over at once, for every process. */
    private long untilOf(long lease) {
        return lease == 0 ? calls.now().past() : calls.now().latest() + lease;
    }

    private CompletableFuture<Verdict> renewToEndOfRun(Command.Renew renew, long until, int largest, int tries) {
        return calls.update(
                        DynamoRow.keyOf(renew.ref().digest()),
                        () -> owned(RENEWED_TO_END_OF_RUN, renew)
                                .with(":until", number(until))
                                .with(":lease", number(DynamoTransitions.micros(renew.lease())))
                                .then("SET #lease_until = #run_until, #lease_micros = :lease"))
                .thenCompose(written -> written.held() ? applied(written) : renew(renew, largest, tries - 1));
    }

    private static DynamoUpdate owned(String condition, Command.Swap swap) {
        return DynamoUpdate.onlyIf(condition)
                .with(":expected", bytes(swap.expected().bytes()))
                .with(":tenant", text(swap.ref().tenant()))
                .with(":in_progress", text(Status.IN_PROGRESS.name()));
    }

    private static boolean isOwnedBy(Command.Swap swap, DynamoRow row) {
        return row.token().equals(swap.expected()) && row.status() == Status.IN_PROGRESS;
    }

    private CompletableFuture<Verdict> giveBack(Command.GiveBack back, int largest, int tries) {
        return calls.time().thenCompose(any -> reads.row(back.ref())).thenCompose(found -> {
            DynamoRow row = found.orElse(null);
            return row == null || !isOwnedBy(back, row)
                    ? reads.verdict(back, row, largest)
                    : changed(row, () -> DynamoTransitions.givenBack(row, back, calls.now()))
                            .thenCompose(written -> written.held()
                                    ? applied(written)
                                    : again(tries, () -> giveBack(back, largest, tries - 1)));
        });
    }

    private CompletableFuture<Verdict> takeOver(
            Command.TakeOver takeOver, int largest, DynamoGrant.Acquirer acquirer, int tries) {
        return reads.row(takeOver.ref())
                .thenCompose(found -> takeOver(takeOver, found.orElse(null), largest, acquirer))
                .thenCompose(verdict -> verdict.isPresent()
                        ? CompletableFuture.completedFuture(verdict.get())
                        : again(tries, () -> takeOver(takeOver, largest, acquirer, tries - 1)));
    }

    private CompletableFuture<Optional<Verdict>> takeOver(
            Command.TakeOver takeOver, @Nullable DynamoRow row, int largest, DynamoGrant.Acquirer acquirer) {
        // Its own answer told the clock the time. If that is not enough, nothing is taken over.
        ClockReading now = calls.clock().now();
        if (row == null || now == null || !row.token().equals(takeOver.expected())) {
            return reads.verdict(takeOver, row, largest).thenApply(Optional::of);
        }
        if (row.aliasOf() != null) {
            return aliases.takeOver(takeOver, row, largest, acquirer);
        }
        Snapshot seen = row.snapshot(now, null);
        if (!seen.reclaimable() || (takeOver.record() == null && seen.expired())) {
            return reads.verdict(takeOver, row, largest).thenApply(Optional::of);
        }
        return acquirer.acquire(new DynamoGrant(
                row, then -> DynamoTransitions.takenOver(row, takeOver, then), null, (writes, then) -> {}, true));
    }

    /** Deletes the chunks of a result that a take-over has replaced. If that fails, the sweep deletes them. */
    private CompletableFuture<Void> deleted(DynamoRow before) {
        return chunks.deleteOf(before).exceptionally(failure -> null);
    }

    private CompletableFuture<DynamoCalls.Conditional> changed(
            DynamoRow row, Supplier<Map<String, AttributeValue>> after) {
        return calls.update(DynamoRow.keyOf(row.ref().digest()), () -> row.changesTo(after.get()));
    }

    private static CompletableFuture<Verdict> again(int tries, Supplier<CompletableFuture<Verdict>> command) {
        return tries > 0
                ? command.get()
                : CompletableFuture.failedFuture(
                        new StoreException(StoreException.Kind.BUSY, "The claim kept changing while it was changed"));
    }
}
