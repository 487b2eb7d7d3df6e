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
 * Inserts with aliases, each in its own transaction. The rows are first read without locks, so duplicates cost no more.
 * {@link AliasPlanRunner} then writes. If another caller was faster, everything is rolled back and read again, so locks are
 * never taken in different orders.
 */
final class AliasedInserts {
    private static final int ROUNDS = 16;

    private final Dialect dialect;
    private final AliasPlanRunner plans;
    private final Duration statementTimeout;

    AliasedInserts(Dialect dialect, Duration statementTimeout) {
        this.dialect = dialect;
        this.plans = new AliasPlanRunner(dialect);
        this.statementTimeout = statementTimeout;
    }

    /** @param largest the maximum number of bytes of a result in the verdict */
    Verdict apply(Connection connection, Command.Insert insert, int largest) throws SQLException {
        for (int round = 0; round < ROUNDS; round++) {
            Verdict verdict = tried(connection, insert, largest);
            if (verdict != null) {
                return verdict;
            }
        }
        throw new SQLTransactionRollbackException("The rows of an aliased claim kept changing", "40001");
    }

    /** Returns the verdict, or null if another caller was faster. */
    private @Nullable Verdict tried(Connection connection, Command.Insert insert, int largest) throws SQLException {
        Map<ClaimRef, Snapshot> rows = plans.rows(connection, insert.refs());
        AliasPlan plan = AliasPlan.of(insert, rows);
        try {
            Verdict verdict = AliasPlanRunner.needsNoWrite(plan)
                    ? plans.execute(connection, insert, plan, rows)
                    : dialect.inTransaction(
                            connection,
                            inTransaction -> plans.execute(inTransaction, insert, plan, rows),
                            statementTimeout);
            return plans.withResult(connection, verdict, largest).withResultUpTo(largest);
        } catch (AliasPlanRunner.RowChanged e) {
            return null;
        }
    }
}
