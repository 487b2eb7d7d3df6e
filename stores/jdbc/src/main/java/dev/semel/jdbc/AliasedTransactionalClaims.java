// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Claims with several digests, because of aliases or several active secrets, or whose row is a pointer. They are made
 * inside an open transaction, without waiting for others. All digests are locked, in their order, so that callers with
 * only one of the keys are excluded as well. A failed attempt is rolled back to a savepoint, including its locks.
 *
 * <p>A settled record is returned even if its pointers cannot be written now, because another caller is writing them.
 */
final class AliasedTransactionalClaims {
    private static final int ROUNDS = 16;

    private final TransactionDialect dialect;
    private final AliasPlanRunner plans;

    AliasedTransactionalClaims(TransactionDialect dialect) {
        this.dialect = dialect;
        this.plans = new AliasPlanRunner(dialect.aliasStatements());
    }

    /**
     * Acquires the claim. Empty if another open transaction holds the key. A stored claim is returned with its result.
     */
    Optional<Verdict> acquireAlone(Connection connection, Command.Insert insert) throws SQLException {
        AliasPlanRunner.RowChanged changed = null;
        for (int round = 0; round < ROUNDS; round++) {
            // Tried again if the record was deleted or changed its owner before its result was read.
            Optional<Verdict> verdict = acquire(connection, insert);
            try {
                return verdict.isEmpty() ? verdict : Optional.of(withResult(connection, verdict.get()));
            } catch (AliasPlanRunner.RowChanged e) {
                changed = e;
            }
        }
        throw new SQLTransactionRollbackException("The rows of an aliased claim kept changing", "40001", changed);
    }

    /** Reads the record in this transaction's snapshot, or the latest version if the snapshot is older. */
    private Verdict withResult(Connection connection, Verdict verdict) throws SQLException {
        try {
            return plans.withResult(connection, verdict, StoredResult.MAX_BYTES);
        } catch (AliasPlanRunner.RowChanged e) {
            return AliasPlanRunner.withResult(dialect::readLatest, connection, verdict, StoredResult.MAX_BYTES);
        }
    }

    /** As {@link #acquireAlone}, but omits a large result. */
    private Optional<Verdict> acquire(Connection connection, Command.Insert insert) throws SQLException {
        return acquire(connection, insert, plans.rows(connection, insert.refs()));
    }

    /** For a claim that the engine also writes; see {@link TransactionDialect#withoutWaiting}. Omits a large result. */
    Optional<Verdict> acquireLeased(Connection connection, Command.Insert insert) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            Optional<Verdict> verdict = dialect.withoutWaiting(connection, unwaiting -> acquire(unwaiting, insert));
            connection.releaseSavepoint(before);
            return verdict;
        } catch (SQLException e) {
            if (!dialect.isTaken(e)) {
                throw e;
            }
            connection.rollback(before);
            return Optional.empty();
        }
    }

    /** Reads the rows as they are stored, without locks. Omits large results. */
    Map<ClaimRef, Snapshot> rows(Connection connection, Set<ClaimRef> refs) throws SQLException {
        return plans.rows(connection, refs);
    }

    /**
     * Acquires the claim, given the rows that were read without locks, so duplicates need no second read. Omits a large
     * result.
     */
    Optional<Verdict> acquire(Connection connection, Command.Insert insert, Map<ClaimRef, Snapshot> unlocked)
            throws SQLException {
        AliasPlan seen = AliasPlan.of(insert, unlocked);
        if (AliasPlanRunner.needsNoWrite(seen) && isSettled(seen)) {
            return answer(insert, seen);
        }
        Set<ClaimRef> changed = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            Savepoint before = connection.setSavepoint();
            AliasPlan plan = null;
            try {
                if (dialect.lock(connection, insert.refs())) {
                    Map<ClaimRef, Snapshot> rows = rows(connection, insert, changed);
                    plan = AliasPlan.of(insert, rows);
                    Verdict verdict = plans.execute(connection, insert, plan, rows);
                    connection.releaseSavepoint(before);
                    return Optional.of(verdict);
                }
            } catch (AliasPlanRunner.RowChanged e) {
                connection.rollback(before);
                changed.add(e.ref());
                continue;
            } catch (SQLException e) {
                if (!dialect.isTaken(e)) {
                    throw e;
                }
            }
            connection.rollback(before);
            return withoutLocks(connection, insert, plan);
        }
        throw new SQLTransactionRollbackException("The rows of an aliased claim kept changing", "40001");
    }

    /** The verdict that is possible while another caller holds the locks. */
    private Optional<Verdict> withoutLocks(Connection connection, Command.Insert insert, @Nullable AliasPlan known)
            throws SQLException {
        AliasPlan plan = known != null ? known : AliasPlan.of(insert, plans.rows(connection, insert.refs()));
        return isSettled(plan) ? answer(insert, plan) : Optional.empty();
    }

    /** Reads rows in this transaction's snapshot, and the latest version of those that differ from it. */
    private Map<ClaimRef, Snapshot> rows(Connection connection, Command.Insert insert, Set<ClaimRef> changed)
            throws SQLException {
        Map<ClaimRef, Snapshot> rows = plans.rows(connection, insert.refs());
        if (!changed.isEmpty()) {
            rows.keySet().removeAll(changed);
            rows.putAll(AliasPlanRunner.rows(dialect::readLatest, connection, changed));
        }
        return rows;
    }

    private static boolean isSettled(AliasPlan plan) {
        Snapshot record = null;
        if (plan instanceof AliasPlan.Link link) {
            record = link.record();
        } else if (plan instanceof AliasPlan.Conflict conflict) {
            record = conflict.record();
        }
        return record != null && !record.reclaimable();
    }

    private static Optional<Verdict> answer(Command.Insert insert, AliasPlan plan) {
        return Optional.of(
                plan instanceof AliasPlan.Conflict conflict
                        ? conflict.verdict(insert)
                        : Verdict.of(insert, ((AliasPlan.Link) plan).record()));
    }
}
