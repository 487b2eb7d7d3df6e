// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A single command on PostgreSQL waits for a lock for half its timeout. The server bounds it, and no setting remains. */
@Timeout(30)
class SingleCommandWaitTest {
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final ClaimRef REF = new ClaimRef("acme", new Digest(new byte[Digest.LENGTH]));

    @Test
    void aLockedRowEndsTheWaitAndLeavesTheConnectionUnchanged() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared());
                Connection other = database.connect();
                Connection connection = database.connect()) {
            Schema.of(database.pool(1)).migrate();
            Command.Insert insert = Commands.insert(REF);
            assertThat(applied(connection, insert)).isInstanceOf(Verdict.Applied.class);
            Command.Settle settle =
                    new Command.Settle(REF, insert.token(), Status.SUCCEEDED, Commands.text("done"), null);

            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.execute("SELECT 1 FROM idempotency_keys FOR UPDATE");
            }
            assertThatThrownBy(() -> applied(connection, settle))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
            assertThat(lockTimeout(connection)).isEqualTo("0");

            other.rollback();
            assertThat(applied(connection, settle)).isInstanceOf(Verdict.Applied.class);
            assertThat(lockTimeout(connection)).isEqualTo("0");
        }
    }

    private static Verdict applied(Connection connection, Command command) throws SQLException {
        CommandBatch batch = new CommandBatch(List.of(command));
        new PostgresDialect().apply(connection, batch, SHORT);
        return batch.verdicts().get(0);
    }

    private static String lockTimeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW lock_timeout")) {
            row.next();
            return row.getString(1);
        }
    }
}
