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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction for many entries: claims that are new, their rows, commit; then what is there for the others is read.
 * On PostgreSQL that is three round trips, and a fourth if there are duplicates. Claims with several names, as all have
 * while several secrets are alive, are made one by one within it.
 */
final class GroupCommit<R> {
    /** For connections without a bound of their own. Longer than any effect takes: only a silent network gets here. */
    private static final int SILENCE_MILLIS = 60_000;

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    private final TransactionalClaims claims;
    private final GroupEffect<R> effect;
    private final GroupInserts inserts;
    private final AliasRows aliasRows;
    private final Connections connections;

    GroupCommit(TransactionalClaims claims, GroupEffect<R> effect) {
        this.claims = claims;
        this.effect = effect;
        this.inserts = new GroupInserts(claims.transactions(), claims.aliased());
        this.aliasRows = new AliasRows(claims.dialect());
        this.connections =
                new Connections(claims.dataSource(), claims.dialect().hasNetwork(), TransactionDialect.GROUP_BOUND);
    }

    /**
     * A claim that is committed, with its result; null if there is none.
     *
     * @throws dev.semel.claim.StoreException if the database does not answer
     */
    @Nullable
    Snapshot read(ClaimRef ref) {
        return connections
                .run(connection -> {
                    Map<ClaimRef, Snapshot> found = new HashMap<>();
                    claims.dialect().read(connection, List.of(ref), StoredResult.MAX_BYTES, found);
                    return aliasRows.followed(connection, found, StoredResult.MAX_BYTES);
                })
                .get(ref);
    }

    /** What came of it. */
    sealed interface Result {
        /** What was made is committed now; of the others, this is there. */
        record Committed(GroupInserts.Made made) implements Result {}

        /** Rolled back because another transaction was in the way. */
        record Conflict(Exception cause) implements Result {}

        /** Rolled back because of what was to be written. */
        record Bad(Exception cause) implements Result {}

        /** The database did not answer; in doubt if that was at the commit. */
        record Away(Exception cause, boolean inDoubt) implements Result {}
    }

    /** Throws nothing but what the effect throws as an error, and that auto-commit is off. */
    <T extends @Nullable Object> Result of(List<GroupEntry<R, T>> entries) {
        Result result = new Result.Away(new SQLException("not begun"), false);
        try (Connection connection = claims.dataSource().getConnection()) {
            OwnTransaction.requireFresh(connection);
            boolean unbounded = claims.dialect().hasNetwork() && connection.getNetworkTimeout() == 0;
            if (unbounded) {
                connection.setNetworkTimeout(Runnable::run, SILENCE_MILLIS);
            }
            try {
                result = on(connection, entries);
            } finally {
                if (unbounded && !connection.isClosed()) {
                    connection.setNetworkTimeout(Runnable::run, 0);
                }
            }
            return result;
        } catch (SQLException e) {
            // What is committed is committed, though the connection broke afterwards.
            return result instanceof Result.Away ? new Result.Away(e, isInDoubt(result)) : result;
        }
    }

    private static boolean isInDoubt(Result result) {
        return result instanceof Result.Away away && away.inDoubt();
    }

    private <T extends @Nullable Object> Result on(Connection connection, List<GroupEntry<R, T>> entries)
            throws SQLException {
        TransactionBounds bounds = claims.transactions().bounds();
        boolean committed = false;
        GroupInserts.Made made;
        try {
            bounds.begin(connection);
            try {
                made = written(connection, entries);
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
        readOthers(connection, entries, made);
        return new Result.Committed(made);
    }

    private <T extends @Nullable Object> GroupInserts.Made written(
            Connection connection, List<GroupEntry<R, T>> entries) throws SQLException {
        GroupInserts.Made made = inserts.make(connection, entries);
        List<R> rows = entries.stream()
                .filter(entry -> made.isWritten(entry.ref()))
                .map(GroupEntry::row)
                .toList();
        if (!rows.isEmpty()) {
            effect.apply(connection, rows);
        }
        return made;
    }

    /** Whatever broke it: if it can be rolled back, the connection is alive, and nothing was committed. */
    private static Result undone(Connection connection, Exception cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
            return new Result.Away(cause, false);
        }
        return cause instanceof SQLException e && TransactionAbortedException.isConflict(e)
                ? new Result.Conflict(cause)
                : new Result.Bad(cause);
    }

    private static Result notCommitted(Connection connection, SQLException cause) {
        boolean rejected = SqlFailures.kindOf(cause) == Kind.REJECTED;
        if (rejected || TransactionAbortedException.isConflict(cause)) {
            return undone(connection, cause);
        }
        return new Result.Away(cause, true);
    }

    private <T extends @Nullable Object> void readOthers(
            Connection connection, List<GroupEntry<R, T>> entries, GroupInserts.Made made) {
        Set<ClaimRef> others = new HashSet<>();
        entries.forEach(entry -> others.add(entry.ref()));
        others.removeAll(made.fresh());
        others.removeAll(made.seen().keySet());
        if (others.isEmpty()) {
            return;
        }
        try {
            Map<ClaimRef, Snapshot> rows = new HashMap<>();
            int largest = ClaimStore.largestResult(others.size());
            claims.dialect().read(connection, others, largest, rows);
            made.seen().putAll(aliasRows.followed(connection, rows, largest));
        } catch (SQLException e) {
            LOG.debug("Duplicates could not be read, and are told that it is in progress", e);
        }
    }
}
