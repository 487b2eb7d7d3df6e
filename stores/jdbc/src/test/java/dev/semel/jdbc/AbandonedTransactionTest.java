// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.SqlFailures;
import dev.semel.testkit.Commands;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;

/** A connection that is closed in the middle of a transaction, or after a transaction that could not be ended. */
@ParameterizedClass
@EachDatabase
class AbandonedTransactionTest extends TransactionalCase {
    AbandonedTransactionTest(DatabaseKind kind) {
        super(kind);
    }

    @Test
    void anUncommittedTransactionIsRolledBackWhenTheConnectionIsClosed() throws SQLException {
        try (Connection abandoned = begin()) {
            Effects.add(abandoned, "abandoned");
        }
        assertThat(store.current()).isPositive();
        assertThat(claims.inTransaction(PAY, KEY, (connection, run) -> "paid"))
                .isEqualTo(new Outcome.Succeeded<>("paid", false));

        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void aConnectionThatWasAbortedIsReplaced() throws SQLException {
        Connection aborted = begin();
        Effects.add(aborted, "aborted");
        aborted.abort(Runnable::run);
        try {
            aborted.close();
        } catch (SQLException e) {
            assertThat(SqlFailures.kindOf(e)).isEqualTo(StoreException.Kind.UNREACHABLE);
        }
        assertThat(claims.inTransaction(PAY, KEY, (connection, run) -> "paid"))
                .isEqualTo(new Outcome.Succeeded<>("paid", false));
        assertThat(store.current()).isPositive();
        assertThat(effects.counts()).isEmpty();
    }

    /** The commit fails, and the rollback fails as well: on SQLite the transaction no longer exists. */
    @Test
    void anEffectThatCommitsByItselfLeavesTheGroupWorking() throws Exception {
        try (GroupedClaims<String, String> group = GroupedClaims.on(claims, PAY, (connection, rows) -> {
            for (String row : rows) {
                Effects.add(connection, row);
            }
            if (rows.contains("commits")) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("COMMIT");
                }
            }
        })) {
            submitted(group, PAY.key("acme", "commits"), "commits");
            assertThat(submitted(group, PAY.key("acme", "after"), "after"))
                    .isEqualTo(new Outcome.Succeeded<>("after", false));
        }
        assertThat(store.apply(List.of(Commands.insert(claims.refOf(PAY, PAY.key("acme", "lane"))))))
                .hasSize(1);
        assertThat(effects.counts()).containsAllEntriesOf(Map.of("after", 1));
    }

    private static Object submitted(GroupedClaims<String, String> group, ClaimKey key, String row) throws Exception {
        return group.submit(key, row, row)
                .handle((outcome, failure) -> failure == null ? outcome : failure)
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }
}
