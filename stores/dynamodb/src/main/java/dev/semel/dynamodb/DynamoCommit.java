// SPDX-License-Identifier: Apache-2.0
package dev.semel.dynamodb;

import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoredResult;
import dev.semel.dynamodb.ItemRefusedException.Refusal;
import dev.semel.lane.Backoff;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Writes a claim, its result and the items of its work in one request. A request without an answer is sent again with the same
 * token, which DynamoDB recognizes for ten minutes. The claim's own token shows the effect for as long as the claim exists.
 */
final class DynamoCommit {
    static final String CONDITION = "ConditionalCheckFailed";
    private static final String NONE = "None";

    /** Codes that sending the transaction again does not change. */
    private static final Set<String> LASTING =
            Set.of(CONDITION, "ValidationError", "ItemCollectionSizeLimitExceeded", "AccessDenied", "DuplicateItem");

    private static final String RELEASED = "DynamoDB refused an item of its transaction";

    private static final int TRIES = 8;
    private static final long PAUSE_NANOS = 4_000_000;

    /** Well within the time for which DynamoDB recognizes a request. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(5).toNanos();

    private final DynamoCalls calls;
    private final DynamoReads reads;
    private final DynamoChunks chunks;
    private final DynamoSettlements settlements;

    DynamoCommit(DynamoCalls calls, DynamoReads reads, DynamoChunks chunks, DynamoSettlements settlements) {
        this.calls = calls;
        this.reads = reads;
        this.chunks = chunks;
        this.settlements = settlements;
    }

    /** How a transaction ended. */
    sealed interface End {
        /** Everything is written. */
        record Done() implements End {}

        /** Nothing is written, because the claim's rows have changed: read them again. */
        record Changed() implements End {}

        /** Nothing is written, because of items of the work. */
        record Refused(ItemRefusedException why) implements End {}

        /** Nothing is written, because of DynamoDB. */
        record Failed(StoreException why) implements End {}

        /** It is not known whether anything is written. */
        record Unknown(StoreException why) implements End {}
    }

    /**
     * Writes everything or nothing. Blocks.
     *
     * @throws IllegalArgumentException if claim and items together are more than DynamoDB writes at once
     */
    End commit(DynamoTransaction transaction) {
        ClockReading now;
        try {
            now = DynamoFutures.await(calls.time());
        } catch (StoreException e) {
            return new End.Failed(e);
        }
        Sending sending =
                new Sending(transaction, transaction.acquired(), transaction.settlement(), transaction.items(), now);
        End end = sending.send();
        if (end instanceof End.Refused refused) {
            end = released(transaction, sending, refused, now);
        }
        if (end instanceof End.Done) {
            end = sending.confirmed();
        }
        if (!(end instanceof End.Done || end instanceof End.Unknown)) {
            sending.deleteChunks();
        }
        return end;
    }

    /**
     * An earlier request, of this call or of one that ended without an answer, may still arrive and then find its conditions true. A
     * change of the claim's row prevents that, by this or by another call. The attempt does not count, because nothing was written.
     */
    private End released(DynamoTransaction transaction, Sending sending, End.Refused refused, ClockReading now) {
        Command.Settle release = new Command.Settle(
                transaction.settlement().ref(), transaction.settlement().token(), Status.RETRYABLE, null, RELEASED);
        DynamoRow uncounted = new DynamoRow(DynamoTransitions.uncounted(transaction.acquired()));
        End end = new Sending(transaction, uncounted, release, List.of(), now).send();
        try {
            if (end instanceof End.Changed) {
                return sending.isWritten() ? new End.Done() : refused;
            }
        } catch (StoreException e) {
            return new End.Unknown(e);
        }
        return end instanceof End.Done
                ? refused
                : end instanceof End.Failed failed ? new End.Unknown(failed.why()) : end;
    }

    /** One transaction, sent until its end is known. */
    private final class Sending {
        private final Command.Settle settlement;
        private final List<TransactWriteItem> all;
        private final int own;
        private final boolean inChunks;
        private final DynamoRow settled;
        private final String requestToken = UUID.randomUUID().toString();

        /** Whether a request was sent whose effect is not known. */
        private boolean unsure;

        /** The time that the chunks of the result have; null if there are none. */
        private @Nullable Long chunked;

        Sending(
                DynamoTransaction transaction,
                DynamoRow acquired,
                Command.Settle settlement,
                List<TransactWriteItem> items,
                ClockReading now) {
            this.settlement = settlement;
            StoredResult result = settlement.result();
            this.inChunks = result != null && DynamoChunks.isNeeded(result);
            this.settled = new DynamoRow(DynamoTransitions.settled(acquired, settlement, now, inChunks));
            List<TransactWriteItem> writes = transaction.grant().writes(calls.table(), settled, now);
            this.own = writes.size();
            this.all = DynamoFutures.concat(writes, items);
            if (all.size() > DynamoWrites.MOST_ITEMS) {
                throw new IllegalArgumentException(
                        "The claim needs %d items for its keys, so that %d more are possible, but there are %d"
                                .formatted(own, DynamoWrites.MOST_ITEMS - own, items.size()));
            }
        }

        End send() {
            StoreException last = null;
            long start = System.nanoTime();
            boolean stored = !inChunks;
            for (int attempt = 1; attempt <= TRIES && System.nanoTime() - start < LONGEST_NANOS; attempt++) {
                try {
                    if (!stored) {
                        chunked = DynamoFutures.await(chunks.write(settlement.ref(), settlement.token(), result()));
                        stored = true;
                    }
                    End end = sendOnce();
                    if (end != null) {
                        return end;
                    }
                } catch (StoreException e) {
                    last = e;
                    unsure |= stored && e.kind() == StoreException.Kind.UNREACHABLE;
                    if (e.kind() == StoreException.Kind.REJECTED) {
                        break;
                    }
                }
                LockSupport.parkNanos(Backoff.afterAttempt(attempt, PAUSE_NANOS));
            }
            StoreException why = last != null
                    ? last
                    : new StoreException(
                            StoreException.Kind.BUSY, "Other transactions kept writing the items of this one");
            return unsure ? new End.Unknown(why) : new End.Failed(why);
        }

        private StoredResult result() {
            return Objects.requireNonNull(settlement.result());
        }

        /** Null if the transaction was cancelled for a reason that passes. */
        private @Nullable End sendOnce() {
            DynamoCalls.Cancelled cancelled =
                    DynamoFutures.await(calls.transact(all, requestToken)).orElse(null);
            if (cancelled == null) {
                return new End.Done();
            }
            unsure |= cancelled.repeated();
            if (isWritten()) {
                return new End.Done();
            }
            List<Refusal> refused = new ArrayList<>();
            boolean passing = false;
            for (int i = 0; i < cancelled.reasons().size(); i++) {
                CancellationReason reason = cancelled.reasons().get(i);
                String code = reason.code() == null ? NONE : reason.code();
                if (i < own && code.equals(CONDITION)) {
                    return new End.Changed();
                }
                if (i >= own && LASTING.contains(code)) {
                    refused.add(
                            new Refusal(i - own, code, reason.message(), reason.hasItem() ? reason.item() : Map.of()));
                } else {
                    passing |= !code.equals(NONE);
                }
            }
            return passing || refused.isEmpty() ? null : new End.Refused(new ItemRefusedException(refused));
        }

        /** Dates the settlement again if it was written later than its time says. */
        End confirmed() {
            try {
                return DynamoFutures.await(settlements.confirmed(settlement, settled, chunked, 0))
                                instanceof Verdict.Applied
                        ? new End.Done()
                        : new End.Unknown(new StoreException(
                                StoreException.Kind.REJECTED,
                                "Everything is written, but this process was suspended meanwhile, and another one has taken"
                                        + " over the key because its result seemed to have expired"));
            } catch (StoreException e) {
                return new End.Unknown(e);
            }
        }

        /** Whether the claim's row shows that this was written. */
        boolean isWritten() {
            return DynamoFutures.await(reads.row(settlement.ref()))
                    .filter(row -> row.token().equals(settlement.token()) && row.status() == settlement.status())
                    .isPresent();
        }

        /** If that fails, the sweep deletes them. */
        void deleteChunks() {
            if (inChunks) {
                DynamoFutures.await(chunks.delete(settlement.ref(), settlement.token(), result())
                        .exceptionally(failure -> null));
            }
        }
    }
}
