// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import static dev.semel.dynamodb.DynamoValues.bytes;
import static dev.semel.dynamodb.DynamoValues.number;
import static dev.semel.dynamodb.DynamoValues.text;

import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Settlements: one conditional write, after the chunks of a large result. The answer shows when it took effect. If that was later
 * than the time that was written, because the process had been suspended, the settlement is dated again: otherwise its result
 * would expire too early, and the work would run twice.
 */
final class DynamoSettlements {
    private static final String OPEN = """
            #claim_nonce = :expected AND #tenant = :tenant AND #status IN (:in_progress, :unknown)
            AND attribute_not_exists(#alias_of)""";

    private static final String SETTLED_THEN = """
            #claim_nonce = :expected AND #tenant = :tenant AND #status = :status AND #completed_at = :seen
            AND attribute_not_exists(#alias_of)""";

    private static final String EXPIRY = """
            , #expires_at = if_not_exists(#ttl_micros, :forever) + :now, #ttl_at = if_not_exists(#ttl_seconds, :never) + :kept_from""";

    /** After this time, the sweep may have deleted chunks whose claim was not settled yet. Half of what it allows. */
    private static final long CHUNKS_LAST = TimeUnit.HOURS.toMicros(12);

    /** More than are sent again at one time. */
    private static final int MOST_UNANSWERED = 10_000;

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoChunks chunks;

    /**
     * The owners whose settlement had no answer, so that it is not known when it took effect. Sending it again tells. A settlement that
     * was confirmed is never dated again.
     */
    private final Set<OwnerToken> unanswered =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<OwnerToken, Boolean> eldest) {
                    return size() > MOST_UNANSWERED;
                }
            }));

    DynamoSettlements(DynamoCalls calls, DynamoReads reads, DynamoChunks chunks) {
        this.calls = calls;
        this.reads = reads;
        this.chunks = chunks;
    }

    CompletableFuture<Verdict> settle(Command.Settle settle, int largest) {
        return write(settle)
                .thenCompose(chunked -> calls.time()
                        .thenCompose(any -> calls.update(
                                        DynamoRow.keyOf(settle.ref().digest()), () -> update(settle, chunked != null))
                                .whenComplete((written, failure) -> {
                                    if (failure != null || written.repeated()) {
                                        unanswered.add(settle.expected());
                                    }
                                }))
                        .thenCompose(written -> verdict(settle, written, chunked, largest)));
    }

    private CompletableFuture<Verdict> verdict(
            Command.Settle settle, DynamoCalls.Conditional written, @Nullable Long chunked, int largest) {
        DynamoRow row = DynamoReads.rowOf(settle.ref(), written.item());
        if (row != null && (written.held() || mayBeEarly(settle, row))) {
            return confirmed(settle, row, chunked, largest);
        }
        CompletableFuture<Verdict> verdict = reads.verdict(settle, row, largest);
        return chunked == null || (row != null && DynamoChunks.isStoredIn(row, settle))
                ? verdict
                : chunks.delete(settle.ref(), settle.expected(), result(settle))
                        // If that fails, the sweep deletes them.
                        .exceptionally(failure -> null)
                        .thenCompose(deleted -> verdict);
    }

    /**
     * Whether the row shows that this settlement was written before, perhaps by a process that did not know the time: it had no answer here,
     * or it has expired.
     */
    private boolean mayBeEarly(Command.Settle settle, DynamoRow row) {
        ClockReading now = calls.clock().now();
        return isSettledBy(settle, row)
                && (unanswered.contains(settle.expected()) || (now != null && row.isExpired(now)));
    }

    /** Writes the chunks of the result, if it is large. Returns the time that they have; null if there are none. */
    CompletableFuture<@Nullable Long> write(Command.Settle settle) {
        StoredResult result = settle.result();
        return result != null && DynamoChunks.isNeeded(result)
                ? chunks.write(settle.ref(), settle.expected(), result).thenApply(at -> at)
                : CompletableFuture.completedFuture(null);
    }

    /** Whether the row shows that this settlement was written before. */
    private boolean isSettledBy(Command.Settle settle, DynamoRow row) {
        return row.aliasOf() == null && reads.recognized(settle, row) instanceof Verdict.Applied;
    }

    /**
     * The verdict on a settlement that this row shows.
     *
     * @param chunked when the chunks of the result were written; null if there are none
     */
    CompletableFuture<Verdict> confirmed(Command.Settle settle, DynamoRow row, @Nullable Long chunked, int largest) {
        return calls.time()
                .thenCompose(now -> redated(settle, row, now)
                        .thenCompose(settled -> chunked != null && now.isOver(chunked + CHUNKS_LAST)
                                ? chunks.write(settle.ref(), settle.expected(), result(settle))
                                        .thenApply(any -> settled)
                                : CompletableFuture.completedFuture(settled)))
                .handle((settled, failure) -> {
                    if (failure != null) {
                        unanswered.add(settle.expected());
                        throw unconfirmed(failure);
                    }
                    unanswered.remove(settle.expected());
                    return settled;
                })
                .thenCompose(settled -> settled.held()
                        ? CompletableFuture.completedFuture(
                                reads.applied(new DynamoRow(settled.item()), settled.date()))
                        : reads.verdict(settle, DynamoReads.rowOf(settle.ref(), settled.item()), largest));
    }

    /** The settlement is stored, so it must be sent again, also if DynamoDB was only busy. */
    private static StoreException unconfirmed(Throwable failure) {
        return new StoreException(
                StoreException.Kind.UNREACHABLE,
                "The claim is settled, but its expiry could not be confirmed: "
                        + DynamoErrors.unwrapped(failure).getMessage(),
                failure);
    }

    /** Not held if somebody has taken the claim over, because it seemed to have expired. */
    private CompletableFuture<DynamoCalls.Conditional> redated(Command.Settle settle, DynamoRow row, ClockReading now) {
        Long completed = row.completedAt();
        if (completed == null || row.expiresAt() == null || !now.isOver(completed)) {
            return CompletableFuture.completedFuture(new DynamoCalls.Conditional(true, row.item(), null, false));
        }
        return calls.update(DynamoRow.keyOf(settle.ref().digest()), () -> {
            ClockReading then = calls.now();
            return expiring(owned(SETTLED_THEN, settle), then)
                    .with(":seen", number(completed))
                    .with(":now", number(then.latest()))
                    .then("SET #completed_at = :now" + EXPIRY);
        });
    }

    DynamoUpdate update(Command.Settle settle, boolean inChunks) {
        ClockReading now = calls.now();
        StoredResult result = settle.result();
        boolean expires = settle.status() != Status.UNKNOWN;
        StringBuilder sets = new StringBuilder("SET #status = :status, #completed_at = :now");
        StringBuilder removals = new StringBuilder(" REMOVE #").append(inChunks ? "result" : "result_id");
        DynamoUpdate update = owned(OPEN, settle)
                .with(":in_progress", text(Status.IN_PROGRESS.name()))
                .with(":unknown", text(Status.UNKNOWN.name()))
                .with(":now", number(now.latest()));
        if (expires) {
            sets.append(EXPIRY);
            update = expiring(update, now);
        } else {
            removals.append(", #expires_at, #ttl_at");
        }
        if (settle.reason() != null) {
            sets.append(", #reason = :reason");
            update = update.with(":reason", text(settle.reason()));
        } else {
            removals.append(", #reason");
        }
        if (result == null) {
            removals.append(", #result, #result_type, #result_size");
        } else {
            sets.append(", #result_type = :type, #result_size = :size")
                    .append(inChunks ? ", #result_id = :id" : ", #result = :result");
            update = update.with(":type", text(result.type())).with(":size", number(result.size()));
            update = inChunks
                    ? update.with(":id", bytes(DynamoChunks.idOf(settle.expected(), result)))
                    : update.with(":result", bytes(result.bytes()));
        }
        return update.then(sets.append(removals).toString());
    }

    private static DynamoUpdate owned(String condition, Command.Settle settle) {
        return DynamoUpdate.onlyIf(condition)
                .with(":expected", bytes(settle.expected().bytes()))
                .with(":tenant", text(settle.ref().tenant()))
                .with(":status", text(settle.status().name()));
    }

    private static DynamoUpdate expiring(DynamoUpdate update, ClockReading now) {
        return update.with(":forever", number(DynamoRow.FOREVER))
                .with(":never", number(DynamoTimeToLive.NEVER))
                .with(":kept_from", number(DynamoTimeToLive.from(now)));
    }

    private static StoredResult result(Command.Settle settle) {
        return Objects.requireNonNull(settle.result());
    }
}
