// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.TransactionEvents;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.StoredResult;
import dev.semel.jdbc.GroupEffect;
import dev.semel.jdbc.GroupedClaims;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.journal.rows.GroupedWrites;
import dev.semel.journal.rows.JournalDatabase;
import dev.semel.key.Secrets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Claims events and writes the new ones in the same transaction. The only class of this module that reads the engine's outcomes.
 *
 * <p>The claim does not compare bodies: an event with a known key and a different body is a duplicate, whether the first one was
 * written or failed. The receipt, which is the claim's result, says whether the bodies differ.
 */
final class InboxClaims implements AutoCloseable {
    private static final Codec<InboxReceipt> RECEIPT = Codec.of(InboxReceipt::stored, InboxReceipt::of);

    /** A payment's claim is shared with other modules, which must not see the receipt. They only see that the payment was processed. */
    private static final Codec<InboxReceipt> DONE =
            Codec.of(receipt -> StoredResult.tombstone("it was processed as a webhook"), InboxReceipt::of);

    private static final Operation<InboxReceipt> ANY = Operation.of("webhook", RECEIPT);

    private final TransactionalClaims claims;
    private final TransactionEvents events;
    private final GroupedClaims<InboxRow, InboxReceipt> grouped;

    InboxClaims(DataSource dataSource, Secrets secrets, InboxTables tables, TransactionEvents events) {
        this.events = events;
        this.claims = TransactionalClaims.on(dataSource, secrets);
        // Callbacks run on the lane's thread. They are short and hand over to other threads.
        this.grouped = GroupedClaims.on(claims, ANY, new Writing(tables), Runnable::run, events);
    }

    /** Writes the rows of a batch. */
    private record Writing(InboxTables tables) implements GroupEffect<InboxRow> {
        @Override
        public void apply(Connection connection, List<InboxRow> rows) throws SQLException {
            for (List<InboxRow> chunk : GroupedWrites.chunks(rows)) {
                tables.write(connection, chunk);
            }
        }

        @Override
        public long bytes(InboxRow row) {
            return row.size();
        }
    }

    /** The claim of an event, with the digest of the current secret. */
    ClaimRef refOf(InboxEntry entry) {
        return refOf(new ClaimKey(entry.tenant(), entry.scope(), entry.keys().key()));
    }

    ClaimRef refOf(ClaimKey key) {
        return claims.refOf(Operation.of(key.scope(), RECEIPT), key);
    }

    /** Claims and writes an event. */
    CompletableFuture<Outcome<InboxReceipt>> submit(InboxRow row, Duration wait) {
        InboxEntry entry = row.entry();
        Operation<InboxReceipt> operation =
                operation(entry.scope(), RECEIPT, entry.keys().ttl(), wait);
        GroupedClaims.Request<InboxReceipt> request = new GroupedClaims.Request<>(
                operation,
                entry.keys().of(entry.tenant(), entry.scope()),
                Fingerprint.NONE,
                row.receipt(),
                second(entry, row.receipt(), wait));
        return grouped.submit(request, row).toCompletableFuture();
    }

    private static GroupedClaims.@Nullable Second<InboxReceipt> second(
            InboxEntry entry, InboxReceipt receipt, Duration wait) {
        InboxPayment payment = entry.payment();
        return payment == null
                ? null
                : new GroupedClaims.Second<>(
                        operation(payment.scope(), DONE, payment.ttl(), wait),
                        new ClaimKey(entry.tenant(), payment.scope(), payment.key()),
                        receipt.unwritten());
    }

    private static Operation<InboxReceipt> operation(
            String scope, Codec<InboxReceipt> codec, Duration ttl, Duration wait) {
        return Operation.of(scope, codec).withTtl(ttl).waitingUpTo(wait);
    }

    /** Reports an event that waited for an equal one and received its outcome. One that is written itself is reported then. */
    void shared(InboxEntry entry, ClaimRef claim, @Nullable Outcome<InboxReceipt> outcome) {
        if (outcome != null && !isRejected(outcome)) {
            events.shared(entry.scope(), claim, outcome);
        }
    }

    /** Whether the database refused this row, which says nothing about other rows of the same key. */
    static boolean isRejected(Outcome<InboxReceipt> outcome) {
        return outcome instanceof Outcome.Retryable<InboxReceipt> failed
                && JournalDatabase.failure(failed.cause()).kind() == Kind.REJECTED;
    }

    /**
     * What a claim's outcome means for one caller.
     *
     * @param own the receipt of this caller's event; the outcome may be that of another caller
     */
    static InboxOutcome outcome(InboxReceipt own, Outcome<InboxReceipt> outcome) {
        if (outcome instanceof Outcome.Succeeded<InboxReceipt> done) {
            return settled(own, done.value());
        }
        if (outcome instanceof Outcome.Tombstone || outcome instanceof Outcome.Failed) {
            // An operator settled the claim.
            return new InboxOutcome.Duplicate(Optional.empty(), false);
        }
        if (outcome instanceof Outcome.InProgress<InboxReceipt> running) {
            return new InboxOutcome.InProgress(running.retryAfter());
        }
        return new InboxOutcome.Failed(failure(outcome));
    }

    private static InboxOutcome settled(InboxReceipt own, InboxReceipt found) {
        if (found.id().equals(own.id())) {
            return found.written() ? new InboxOutcome.Recorded(own.id()) : new InboxOutcome.PaymentDuplicate();
        }
        return new InboxOutcome.Duplicate(
                found.written() ? Optional.of(found.id()) : Optional.empty(),
                !found.payload().equals(own.payload()));
    }

    private static StoreException failure(Outcome<InboxReceipt> outcome) {
        if (outcome instanceof Outcome.Retryable<InboxReceipt> failed) {
            return JournalDatabase.failure(failed.cause());
        }
        if (outcome instanceof Outcome.Unavailable<InboxReceipt> unavailable) {
            return new StoreException(Kind.UNREACHABLE, unavailable.reason(), unavailable.cause());
        }
        if (outcome instanceof Outcome.Unsettled<InboxReceipt> doubtful) {
            return new StoreException(Kind.UNREACHABLE, doubtful.reason());
        }
        return new StoreException(Kind.BUSY, "The event's claim is parked: an operator has to decide");
    }

    @Override
    public void close() {
        grouped.close();
    }
}
