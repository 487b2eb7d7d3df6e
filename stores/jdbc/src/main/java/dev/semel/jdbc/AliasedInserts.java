// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.AliasPlan;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Inserts with aliases, each in a transaction of its own. What is there is read first, without locks: a duplicate costs
 * no more. What must be written is then written by {@link AliasSteps}; if somebody else was faster, all is rolled back
 * and read again: so nobody waits for a lock in another order than others do.
 */
final class AliasedInserts {
    private static final int ROUNDS = 16;

    private final Dialect dialect;
    private final AliasSteps steps;
    private final Duration statementTimeout;

    AliasedInserts(Dialect dialect, Duration statementTimeout) {
        this.dialect = dialect;
        this.steps = new AliasSteps(dialect);
        this.statementTimeout = statementTimeout;
    }

    /** @param largest the most bytes of a result that the verdict shows */
    Verdict apply(Connection connection, Command.Insert insert, int largest) throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            Verdict verdict = tried(connection, insert, largest);
            if (verdict != null) {
                return verdict;
            }
        }
        throw new SQLTransactionRollbackException("The rows of an aliased claim kept changing", "40001");
    }

    /** The verdict, or null if somebody else was faster. */
    private @Nullable Verdict tried(Connection connection, Command.Insert insert, int largest) throws SQLException {
        Map<ClaimRef, Snapshot> rows = steps.rows(connection, insert.refs());
        AliasPlan plan = AliasPlan.of(insert, rows);
        try {
            Verdict verdict = AliasSteps.onlyAnswers(plan)
                    ? steps.carryOut(connection, insert, plan, rows)
                    : dialect.inTransaction(
                            connection,
                            inTransaction -> steps.carryOut(inTransaction, insert, plan, rows),
                            statementTimeout);
            return steps.withResult(connection, verdict, largest).withResultUpTo(largest);
        } catch (AliasSteps.Overtaken e) {
            return null;
        }
    }
}
