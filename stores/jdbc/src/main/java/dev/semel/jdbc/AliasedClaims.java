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
 * Claims that have several names, by aliases or while several secrets are alive, or whose row only leads to a record:
 * inside an open transaction, never waiting for another one. All names are locked, in the order of their digests, so that
 * whoever knows only one of them is excluded as well. What was tried in vain is undone to a savepoint, locks included.
 *
 * <p>A record that is settled answers also when its other names cannot be written now: somebody else is writing them.
 */
final class AliasedClaims {
    private static final int ROUNDS = 16;

    private final TransactionDialect dialect;
    private final AliasSteps steps;

    AliasedClaims(TransactionDialect dialect) {
        this.dialect = dialect;
        this.steps = new AliasSteps(dialect.aliasStatements());
    }

    /** Empty if another transaction that is still open is at this key. Whatever answers is shown with its result. */
    Optional<Verdict> acquireAlone(Connection connection, Command.Insert insert) throws SQLException {
        AliasSteps.Overtaken overtaken = null;
        for (int round = 0; round < ROUNDS; round++) {
            // Again, if the record that answered was gone or another's before its result was read.
            Optional<Verdict> verdict = acquire(connection, insert);
            try {
                return verdict.isEmpty() ? verdict : Optional.of(withResult(connection, verdict.get()));
            } catch (AliasSteps.Overtaken e) {
                overtaken = e;
            }
        }
        throw new SQLTransactionRollbackException("The rows of an aliased claim kept changing", "40001", overtaken);
    }

    /** As this transaction sees the record; as it is now, if this transaction's snapshot is older. */
    private Verdict withResult(Connection connection, Verdict verdict) throws SQLException {
        try {
            return steps.withResult(connection, verdict, StoredResult.MAX_BYTES);
        } catch (AliasSteps.Overtaken e) {
            return AliasSteps.withResult(dialect::readLatest, connection, verdict, StoredResult.MAX_BYTES);
        }
    }

    /** As {@link #acquireAlone}, but a large result is left out. */
    private Optional<Verdict> acquire(Connection connection, Command.Insert insert) throws SQLException {
        return acquire(connection, insert, steps.rows(connection, insert.refs()));
    }

    /** For a claim that lanes make too; see {@link TransactionDialect#withoutWaiting}. A large result is left out. */
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

    /** As they are stored, without locks. Large results are left out. */
    Map<ClaimRef, Snapshot> rows(Connection connection, Set<ClaimRef> names) throws SQLException {
        return steps.rows(connection, names);
    }

    /** Given what was read without locks, so that a duplicate costs no more. A large result is left out. */
    Optional<Verdict> acquire(Connection connection, Command.Insert insert, Map<ClaimRef, Snapshot> unlocked)
            throws SQLException {
        AliasPlan seen = AliasPlan.of(insert, unlocked);
        if (AliasSteps.onlyAnswers(seen) && isSettled(seen)) {
            return answer(insert, seen);
        }
        Set<ClaimRef> overtaken = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            Savepoint before = connection.setSavepoint();
            AliasPlan plan = null;
            try {
                if (dialect.lock(connection, insert.refs())) {
                    Map<ClaimRef, Snapshot> rows = rows(connection, insert, overtaken);
                    plan = AliasPlan.of(insert, rows);
                    Verdict verdict = steps.carryOut(connection, insert, plan, rows);
                    connection.releaseSavepoint(before);
                    return Optional.of(verdict);
                }
            } catch (AliasSteps.Overtaken e) {
                connection.rollback(before);
                overtaken.add(e.ref());
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

    /** What can be said while somebody else is at it. */
    private Optional<Verdict> withoutLocks(Connection connection, Command.Insert insert, @Nullable AliasPlan known)
            throws SQLException {
        AliasPlan plan = known != null ? known : AliasPlan.of(insert, steps.rows(connection, insert.refs()));
        return isSettled(plan) ? answer(insert, plan) : Optional.empty();
    }

    /** As this transaction sees them; those that turned out to be other than it sees, as they are now. */
    private Map<ClaimRef, Snapshot> rows(Connection connection, Command.Insert insert, Set<ClaimRef> overtaken)
            throws SQLException {
        Map<ClaimRef, Snapshot> rows = steps.rows(connection, insert.refs());
        if (!overtaken.isEmpty()) {
            rows.keySet().removeAll(overtaken);
            rows.putAll(AliasSteps.rows(dialect::readLatest, connection, overtaken));
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
