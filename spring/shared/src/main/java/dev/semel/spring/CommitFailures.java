// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.transaction.TransactionException;

/** What the exception of a transaction says about its end. */
final class CommitFailures {
    /** PostgreSQL and standard: serialization failure, deadlock, lock not available. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "55P03");

    /** MariaDB: lock wait timeout, deadlock, record changed since it was read. */
    private static final Set<Integer> MARIADB_CONFLICTS = Set.of(1205, 1213, 1020);

    /** Invalid data, violated constraints, missing rights. */
    private static final Set<String> REJECTED = Set.of("22", "23", "42", "44");

    private CommitFailures() {}

    /** Rolled back because of another transaction: the same one may succeed when it is run again. */
    static boolean isConflict(Throwable failure) {
        if (failure instanceof ConcurrencyFailureException) {
            return true;
        }
        SQLException sql = sqlIn(failure);
        return sql != null
                && ((sql.getSQLState() != null && CONFLICTS.contains(sql.getSQLState()))
                        || MARIADB_CONFLICTS.contains(sql.getErrorCode()));
    }

    /** Rolled back because of its data, for example by a deferred constraint. */
    static boolean isRejected(Throwable failure) {
        SQLException sql = sqlIn(failure);
        return sql != null
                && sql.getSQLState() != null
                && sql.getSQLState().length() == 5
                && REJECTED.contains(sql.getSQLState().substring(0, 2));
    }

    /** The database or the transaction manager failed, so that a commit may have arrived. */
    static boolean isOfTheDatabase(Throwable failure) {
        return failure instanceof TransactionException || sqlIn(failure) != null;
    }

    private static @Nullable SQLException sqlIn(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            SQLException sql = sqlIn(suppressed);
            if (sql != null) {
                return sql;
            }
        }
        return null;
    }
}
