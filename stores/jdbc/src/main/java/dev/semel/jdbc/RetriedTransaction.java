// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.Outcome;
import dev.semel.claim.StoreException.Kind;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.lane.Backoff;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A transaction on Semel's own connection. It runs again from the beginning after a conflict and after a commit with
 * unknown outcome. That is safe: a committed attempt is found by its key, and the work does not run again.
 */
final class RetriedTransaction<T extends @Nullable Object> {
    private static final Logger LOG = LoggerFactory.getLogger(RetriedTransaction.class);
    private static final int TRIES = 8;

    /** How long the outcome of a commit is looked for, such as on a disk that is full for some seconds. */
    private static final Duration IN_DOUBT = Duration.ofSeconds(5);

    private final DataSource dataSource;
    private final Function<Connection, CommittingTransaction> opening;
    private final boolean linksAliases;
    private final TransactionBounds bounds;

    /** The outcome that may have been committed; null if no commit is in doubt. */
    private @Nullable Outcome<T> inDoubt;

    /** When a commit was first in doubt. The work before it may have taken long. */
    private long inDoubtSince;

    /**
     * Creates a transaction on a connection of this data source.
     *
     * @param opening opens the transaction on its connection
     * @param linksAliases whether duplicates write too: with aliases, or with several active secrets, a duplicate adds
     *     pointers
     */
    RetriedTransaction(
            DataSource dataSource,
            Function<Connection, CommittingTransaction> opening,
            boolean linksAliases,
            TransactionBounds bounds) {
        this.dataSource = dataSource;
        this.opening = opening;
        this.linksAliases = linksAliases;
        this.bounds = bounds;
    }

    Outcome<T> run(Function<CommittingTransaction, Outcome<T>> work) {
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
                if (!e.retryable() && !e.unavailable()) {
                    throw e;
                }
                if (!e.retryable() && inDoubt == null) {
                    return givenUp(e);
                }
            }
            if (attempt >= TRIES && (inDoubt == null || System.nanoTime() - inDoubtSince >= IN_DOUBT.toNanos())) {
                return givenUp(failure);
            }
            LockSupport.parkNanos(Backoff.afterAttempt(attempt, 1_000_000));
        }
    }

    private Outcome<T> givenUp(Exception failure) {
        if (inDoubt instanceof Outcome.Succeeded || inDoubt instanceof Outcome.Rejected) {
            T value = inDoubt instanceof Outcome.Succeeded<T> succeeded ? succeeded.value() : null;
            return new Outcome.Unsettled<>(value, null, false, "the database did not confirm the commit");
        }
        return new Outcome.Unavailable<>(
                "the transaction could not be completed: " + TransactionAbortedException.explained(failure), failure);
    }

    private Outcome<T> once(Function<CommittingTransaction, Outcome<T>> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            requireAutoCommit(connection);
            boolean ended = false;
            try {
                bounds.begin(connection);
                CommittingTransaction transaction = opening.apply(connection);
                Outcome<T> outcome = work.apply(transaction);
                if (!hasWritten(outcome)) {
                    ended = linksAliases && commitPointers(connection);
                    return outcome;
                }
                Outcome<T> answer = committed(transaction, outcome);
                ended = true;
                return answer;
            } catch (SQLException e) {
                Connections.dropIfStranded(connection, e);
                throw e;
            } catch (TransactionAbortedException e) {
                if (connection.isClosed()) {
                    // Also if the pool found the connection broken and closed it.
                    throw new SQLNonTransientConnectionException(TransactionAbortedException.CLOSED, "08006", e);
                }
                Connections.dropIfStranded(connection, e.getCause());
                throw e;
            } finally {
                bounds.end(connection, ended);
            }
        }
    }

    /** Rejects a connection with auto-commit off: it may be in another transaction, which Semel must not commit. */
    static void requireAutoCommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "The data source returned a connection with auto-commit off. If a transaction is already open, as"
                            + " inside @Transactional, use execute(connection, ...). If the pool is configured with"
                            + " auto-commit off, pass one with auto-commit on (HikariCP: setAutoCommit(true), the default)");
        }
    }

    private static boolean hasWritten(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Succeeded<?> || outcome instanceof Outcome.Rejected<?>) {
            return !outcome.isReplayed();
        }
        return outcome instanceof Outcome.Retryable<?>
                || outcome instanceof Outcome.Failed<?>
                || (outcome instanceof Outcome.Unknown<?> unknown && unknown.cause() != null);
    }

    /** Failures are ignored: the answer is already committed, and the next duplicate adds missing pointers. */
    private static boolean commitPointers(Connection connection) {
        try {
            connection.commit();
            return true;
        } catch (SQLException e) {
            LOG.debug("Pointers of a claim could not be committed; the next duplicate adds them", e);
            return false;
        }
    }

    private Outcome<T> committed(CommittingTransaction transaction, Outcome<T> outcome) throws SQLException {
        try {
            transaction.commit();
            return outcome;
        } catch (SQLException e) {
            if (SqlFailures.kindOf(e) == Kind.REJECTED) {
                // For example a deferred constraint. The transaction is rolled back, and the work has failed.
                return new Outcome.Retryable<>(e);
            }
            if (!TransactionAbortedException.isConflict(e)) {
                inDoubtSince = inDoubt == null ? System.nanoTime() : inDoubtSince;
                inDoubt = outcome;
            }
            throw e;
        }
    }
}
