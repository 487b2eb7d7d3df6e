// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.StoredResult;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction for many rows: inserts new claims, writes their rows, commits, and then reads the claims of duplicates.
 * On PostgreSQL that takes three round trips, and a fourth one if there are duplicates. Claims with several digests, which
 * all claims have while several secrets are active, are inserted one by one.
 */
final class GroupTransaction<R> {
    /** For connections without a network timeout. Longer than any effect takes, so only a silent network exceeds it. */
    private static final int SILENCE_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(GroupTransaction.class);

    private final TransactionalClaims claims;
    private final GroupEffect<R> effect;
    private final GroupInserts inserts;
    private final AliasPointers pointers;
    private final Connections connections;

    GroupTransaction(TransactionalClaims claims, GroupEffect<R> effect) {
        this.claims = claims;
        this.effect = effect;
        this.inserts = new GroupInserts(claims.transactions(), claims.aliased());
        this.pointers = new AliasPointers(claims.dialect());
        this.connections =
                new Connections(claims.dataSource(), claims.dialect().hasNetwork(), TransactionDialect.GROUP_BOUND);
    }

    /**
     * Reads a committed claim with its result; null if it does not exist.
     *
     * @throws dev.semel.claim.StoreException if the database does not answer
     */
    @Nullable
    Snapshot read(ClaimRef ref) {
        return connections
                .run(connection -> {
                    Map<ClaimRef, Snapshot> found = new HashMap<>();
                    claims.dialect().read(connection, List.of(ref), StoredResult.MAX_BYTES, found);
                    return pointers.resolved(connection, found, StoredResult.MAX_BYTES);
                })
                .get(ref);
    }

    /** The outcome of the transaction. */
    sealed interface Result {
        /**
         * Committed.
         *
         * @param rows the results of the rows; a row without one is in progress or could not be read
         */
        record Committed(Map<ClaimRef, RowResult> rows) implements Result {}

        /** Rolled back because of a conflict with another transaction. */
        record Conflict(Exception cause) implements Result {}

        /** Rolled back because the database or the effect rejected a row. */
        record Rejected(Exception cause) implements Result {}

        /** The database did not answer. In doubt if that was at the commit, whose outcome is then unknown. */
        record Unavailable(Exception cause, boolean inDoubt) implements Result {}
    }

    /** Runs the transaction. Throws only errors of the effect, and if the pool's connections have auto-commit off. */
    <T extends @Nullable Object> Result run(List<SubmittedRow<R, T>> rows) {
        Result result = new Result.Unavailable(new SQLException("not begun"), false);
        try (Connection connection = claims.dataSource().getConnection()) {
            RetriedTransaction.requireAutoCommit(connection);
            boolean unbounded = claims.dialect().hasNetwork() && connection.getNetworkTimeout() == 0;
            if (unbounded) {
                connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
            }
            try {
                result = on(connection, rows);
            } finally {
                if (unbounded && !connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, 0);
                }
            }
            return result;
        } catch (SQLException e) {
            // A connection that broke after the commit does not change the result.
            return result instanceof Result.Unavailable ? new Result.Unavailable(e, isInDoubt(result)) : result;
        }
    }

    private static boolean isInDoubt(Result result) {
        return result instanceof Result.Unavailable unavailable && unavailable.inDoubt();
    }

    private <T extends @Nullable Object> Result on(Connection connection, List<SubmittedRow<R, T>> rows)
            throws SQLException {
        TransactionDialect dialect = claims.transactions();
        TransactionBounds bounds =
                rows.stream().anyMatch(SubmittedRow::isPlain) ? dialect.boundsBeforeInserts() : dialect.bounds();
        boolean committed = false;
        Map<ClaimRef, RowResult> results;
        try {
            bounds.begin(connection);
            try {
                results = written(connection, rows);
            } catch (SQLException | RuntimeException e) {
                return undone(connection, e);
            }
            try {
                connection.commit();
            } catch (SQLException e) {
                return notCommitted(connection, e);
            }
            committed = true;
        } finally {
            bounds.end(connection, committed);
        }
        readOthers(connection, rows, results);
        return new Result.Committed(results);
    }

    private <T extends @Nullable Object> Map<ClaimRef, RowResult> written(
            Connection connection, List<SubmittedRow<R, T>> rows) throws SQLException {
        Map<ClaimRef, RowResult> results = inserts.insert(connection, rows);
        List<R> newRows = rows.stream()
                .filter(row -> results.get(row.ref()) instanceof RowResult.Written)
                .map(SubmittedRow::row)
                .toList();
        if (!newRows.isEmpty()) {
            effect.apply(connection, newRows);
        }
        return results;
    }

    /** If the rollback succeeds, the connection works and nothing was committed. */
    private static Result undone(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
            return new Result.Unavailable(cause, false);
        }
        return cause instanceof SQLException e && TransactionAbortedException.isConflict(e)
                ? new Result.Conflict(cause)
                : new Result.Rejected(cause);
    }

    private static Result notCommitted(Connection connection, SQLException cause) {
        boolean rejected = SqlFailures.kindOf(cause) == Kind.REJECTED;
        if (rejected || TransactionAbortedException.isConflict(cause)) {
            return undone(connection, cause);
        }
        return new Result.Unavailable(cause, true);
    }

    private <T extends @Nullable Object> void readOthers(
            Connection connection, List<SubmittedRow<R, T>> rows, Map<ClaimRef, RowResult> results) {
        List<SubmittedRow<R, T>> others = rows.stream()
                .filter(row -> {
                    RowResult result = results.get(row.ref());
                    return result == null || result instanceof RowResult.NeedsOwnTransaction;
                })
                .toList();
        if (others.isEmpty()) {
            return;
        }
        try {
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            int largest = ClaimStore.largestResult(others.size());
            List<ClaimRef> refs = others.stream().map(SubmittedRow::ref).toList();
            claims.dialect().read(connection, refs, largest, found);
            Map<ClaimRef, Snapshot> existing = pointers.resolved(connection, found, largest);
            for (SubmittedRow<R, T> row : others) {
                Snapshot claim = existing.get(row.ref());
                if (claim != null && (!results.containsKey(row.ref()) || row.isMine(claim))) {
                    results.put(row.ref(), new RowResult.Existing(claim));
                }
            }
        } catch (SQLException e) {
            LOG.debug("Claims of duplicates could not be read; they are answered as in progress", e);
        }
    }
}
