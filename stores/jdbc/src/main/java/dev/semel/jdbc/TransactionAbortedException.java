// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.SqlFailures;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The caller's transaction can only be rolled back. After the rollback neither the claim nor the effect exists, and the
 * next caller runs the work. Unchecked, so that Spring rolls back automatically.
 */
public final class TransactionAbortedException extends RuntimeException {
    private static final String ABORTED_BEFORE = "25P02";

    /** MariaDB: the record changed after the transaction's snapshot was taken. */
    private static final int SNAPSHOT_TOO_OLD = 1020;

    /** No such savepoint. PostgreSQL uses two SQLStates for it. */
    private static final Set<String> NO_SAVEPOINT = Set.of("3B001", "25P01");

    private static final int MARIADB_NO_SAVEPOINT = 1305;

    static final String CLOSED =
            "The connection broke while the work ran, or the work closed it, so the transaction was rolled"
                    + " back. The work must not close its connection";

    private enum Reason {
        CONFLICT,
        /** The work broke the transaction. */
        WORK,
        STATEMENT
    }

    private final Reason reason;

    private TransactionAbortedException(String message, Reason reason, @Nullable SQLException cause) {
        super(message, cause);
        this.reason = reason;
    }

    static TransactionAbortedException of(SQLException cause) {
        if (ABORTED_BEFORE.equals(cause.getSQLState())) {
            return new TransactionAbortedException(
                    "An earlier statement of this transaction failed, and PostgreSQL rejects all further ones: roll back."
                            + " To continue after a failed statement, the work needs its own savepoint",
                    Reason.WORK,
                    cause);
        }
        String state = cause.getSQLState();
        if (isSavepointMissing(cause)) {
            return ended(cause);
        }
        // Not at the commit, so the transaction was rolled back.
        boolean busy = isConflict(cause) || SqlFailures.hasFailedCommit(cause);
        return new TransactionAbortedException(
                busy
                        ? "Conflict with another transaction (SQLState %s, code %d): roll back, and run the whole transaction again"
                                .formatted(state, cause.getErrorCode())
                        : "The database rejected a statement (SQLState %s, code %d): roll back%s"
                                .formatted(state, cause.getErrorCode(), SqlFailures.fix(cause)),
                busy ? Reason.CONFLICT : Reason.STATEMENT,
                cause);
    }

    /** The transaction ended while the work ran. */
    static TransactionAbortedException ended(@Nullable SQLException cause) {
        return new TransactionAbortedException(
                "The transaction ended while the work ran: the work committed, rolled back or switched auto-commit on, or the"
                        + " database rolled back because of a deadlock. Roll back; the work must do none of these. On MariaDB and"
                        + " MySQL, CREATE, ALTER and TRUNCATE commit: run them before the transaction",
                Reason.WORK,
                cause);
    }

    /** The connection was closed while the work ran. */
    static TransactionAbortedException closed(@Nullable SQLException cause) {
        return new TransactionAbortedException(CLOSED, Reason.WORK, cause);
    }

    /** What failed, and what to do. */
    static String explained(Exception failure) {
        boolean own = !(failure instanceof SQLException) || failure.getCause() instanceof TransactionAbortedException;
        return String.valueOf(
                own
                        ? failure.getMessage()
                        : SqlFailures.translate((SQLException) failure).getMessage());
    }

    /** Whether the transaction had failed or ended before the statement that failed. */
    static boolean isEarlier(SQLException failure) {
        return ABORTED_BEFORE.equals(failure.getSQLState()) || isSavepointMissing(failure);
    }

    private static boolean isSavepointMissing(SQLException failure) {
        String state = failure.getSQLState();
        return (state != null && NO_SAVEPOINT.contains(state)) || failure.getErrorCode() == MARIADB_NO_SAVEPOINT;
    }

    /**
     * Serialization failures, deadlocks and outdated snapshots: the same transaction may succeed when it is run again.
     */
    static boolean isConflict(SQLException failure) {
        return SqlFailures.kindOf(failure) == Kind.BUSY || failure.getErrorCode() == SNAPSHOT_TOO_OLD;
    }

    /**
     * Whether the database could not execute a statement of the claim, for example because its disk is full. Neither the work
     * nor the statement is wrong.
     */
    boolean unavailable() {
        return reason == Reason.STATEMENT
                && getCause() instanceof SQLException failure
                && SqlFailures.kindOf(failure) == Kind.UNREACHABLE;
    }

    /**
     * Whether the same transaction may succeed when it is run again from the beginning: it conflicted with another one, or the
     * database was unavailable. An exception of the work counts too, because it broke the transaction: after a deadlock, for
     * example, MariaDB reports only that the savepoint is gone.
     */
    public boolean retryable() {
        if (reason == Reason.CONFLICT || (getCause() instanceof SQLException failure && isUnavailable(failure))) {
            return true;
        }
        for (Throwable thrown : getSuppressed()) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException failure && (isConflict(failure) || isUnavailable(failure))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Only SQLState class 08 or 57. Any other error is not treated as a connection failure, because the work would run
     * again.
     */
    private static boolean isUnavailable(SQLException failure) {
        String state = failure.getSQLState();
        return SqlFailures.isDriversOwn(failure)
                || (state != null && (state.startsWith("08") || state.startsWith("57P")));
    }
}
