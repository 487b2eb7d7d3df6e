// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction on a connection of our own, run again from its beginning when another one was in its way or when nobody
 * knows whether it was committed. That is safe: whatever was committed is found by its key, and nothing runs then.
 */
final class OwnTransaction<T extends @Nullable Object> {
    private static final Logger LOG = LoggerFactory.getLogger(OwnTransaction.class);
    private static final int TRIES = 8;

    private final DataSource dataSource;
    private final boolean linksNames;
    private final TransactionBounds bounds;

    /** What ran and may have been committed; null while there is no doubt. */
    private @Nullable Outcome<T> inDoubt;

    /**
     * A transaction on a connection of this source.
     *
     * @param linksNames whether duplicates write too, while several secrets are alive: that another name leads to it
     */
    OwnTransaction(DataSource dataSource, boolean linksNames, TransactionBounds bounds) {
        this.dataSource = dataSource;
        this.linksNames = linksNames;
        this.bounds = bounds;
    }

    Outcome<T> run(Function<Connection, Outcome<T>> work) {
        for (int attempt = 1; ; attempt++) {
            Exception failure;
            try {
                return once(work);
            } catch (SQLException e) {
                failure = e;
                if (inDoubt == null && !TransactionAbortedException.isConflict(e)) {
                    return givenUp(e);
                }
            } catch (TransactionAbortedException e) {
                failure = e;
                if (!isTransient(e)) {
                    throw e;
                }
            }
            if (attempt == TRIES) {
                return givenUp(failure);
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000, 2_000_000L << attempt));
        }
    }

    /** Conflicts, and a database that is away: what the work threw counts if the transaction broke because of it. */
    private static boolean isTransient(TransactionAbortedException failure) {
        if (failure.retryable() || (failure.getCause() instanceof SQLException e && isAway(e))) {
            return true;
        }
        for (Throwable thrown : failure.getSuppressed()) {
            for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
                if (cause instanceof SQLException e && (TransactionAbortedException.isConflict(e) || isAway(e))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** By class 08 or 57: in doubt, a failure is not one of the connection here, because the work would run again. */
    private static boolean isAway(SQLException failure) {
        String state = failure.getSQLState();
        return SqlFailures.isDriversOwn(failure)
                || (state != null && (state.startsWith("08") || state.startsWith("57P")));
    }

    private Outcome<T> givenUp(Exception failure) {
        if (inDoubt instanceof Outcome.Succeeded<T> succeeded) {
            return new Outcome.Unsettled<>(
                    succeeded.value(), null, false, "the database did not say whether it has committed");
        }
        return new Outcome.Unavailable<>("the transaction could not be carried through", failure);
    }

    private Outcome<T> once(Function<Connection, Outcome<T>> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            requireFresh(connection);
            boolean ended = false;
            try {
                bounds.begin(connection);
                Outcome<T> outcome = work.apply(connection);
                if (!hasWritten(outcome)) {
                    ended = linksNames && linked(connection);
                    return outcome;
                }
                Outcome<T> answer = committed(connection, outcome);
                ended = true;
                return answer;
            } catch (TransactionAbortedException e) {
                if (connection.isClosed()) {
                    // A pool that found it broken has closed it: whatever was done went with it.
                    throw new SQLNonTransientConnectionException("The connection broke", "08006", e);
                }
                throw e;
            } finally {
                bounds.end(connection, ended);
            }
        }
    }

    /** A connection that is in the middle of somebody else's transaction must not be committed by us. */
    static void requireFresh(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "The data source handed out a connection with auto-commit off: if that is because a transaction is"
                            + " open already, as inside @Transactional, use execute(connection, ...); if the pool is set"
                            + " so, hand in one that is not");
        }
    }

    private static boolean hasWritten(Outcome<?> outcome) {
        return outcome instanceof Outcome.Succeeded<?> succeeded
                ? !succeeded.replayed()
                : outcome instanceof Outcome.Retryable<?>
                        || outcome instanceof Outcome.Failed<?>
                        || (outcome instanceof Outcome.Unknown<?> unknown && unknown.cause() != null);
    }

    /** The answer is committed already; a name that is not linked now is linked by whoever asks next. */
    private static boolean linked(Connection connection) {
        try {
            connection.commit();
            return true;
        } catch (SQLException e) {
            LOG.debug("A claim's other names could not be kept", e);
            return false;
        }
    }

    private Outcome<T> committed(Connection connection, Outcome<T> outcome) throws SQLException {
        try {
            connection.commit();
            return outcome;
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e) == Kind.REJECTED) {
                // A deferred constraint, say: it is rolled back, and that is the work's failure.
                return new Outcome.Retryable<>(e);
            }
            if (!TransactionAbortedException.isConflict(e)) {
                inDoubt = outcome;
            }
            throw e;
        }
    }
}
