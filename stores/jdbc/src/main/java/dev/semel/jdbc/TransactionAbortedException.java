// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.SqlFailures;
import java.sql.SQLException;
import java.util.Set;

/**
 * The caller's transaction is of no use any more: roll it back. Then neither the claim nor the effect has happened, and
 * the next caller runs. Unchecked, so that Spring rolls back by itself.
 */
public final class TransactionAbortedException extends RuntimeException {
    private static final String ABORTED_BEFORE = "25P02";

    /** MariaDB: the record has changed since the transaction's snapshot. */
    private static final int SNAPSHOT_TOO_OLD = 1020;

    /** No such savepoint: PostgreSQL has two words for it. */
    private static final Set<String> NO_SAVEPOINT = Set.of("3B001", "25P01");

    private static final int MARIADB_NO_SAVEPOINT = 1305;

    private final boolean retryable;

    private TransactionAbortedException(String message, boolean retryable, SQLException cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    static TransactionAbortedException of(SQLException cause) {
        if (ABORTED_BEFORE.equals(cause.getSQLState())) {
            return new TransactionAbortedException(
                    "An earlier statement of this transaction failed, and PostgreSQL takes no more: roll it back. If the"
                            + " work means to go on after a failed statement, it needs a savepoint of its own",
                    false,
                    cause);
        }
        String state = cause.getSQLState();
        if ((state != null && NO_SAVEPOINT.contains(state)) || cause.getErrorCode() == MARIADB_NO_SAVEPOINT) {
            return new TransactionAbortedException(
                    "The transaction ended while the work ran: the work committed or rolled back, or the database rolled"
                            + " back because of a deadlock. Roll back, and let the work do neither",
                    false,
                    cause);
        }
        boolean busy = isConflict(cause);
        return new TransactionAbortedException(
                busy
                        ? "Another transaction was in the way (SQLState %s, code %d): roll back, and run the whole transaction again"
                                .formatted(state, cause.getErrorCode())
                        : "The database did not do it (SQLState %s, code %d): roll back"
                                .formatted(state, cause.getErrorCode()),
                busy,
                cause);
    }

    /** Serialisation failures, deadlocks, a snapshot that is too old: the same transaction may work a moment later. */
    static boolean isConflict(SQLException failure) {
        return SqlFailures.kindOf(failure) == Kind.BUSY || failure.getErrorCode() == SNAPSHOT_TOO_OLD;
    }

    /** Whether the same transaction, run again from its beginning, may well succeed: it met another one. */
    public boolean retryable() {
        return retryable;
    }
}
