// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.spi.Verdict;
import dev.semel.testkit.Commands;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Borrowers of the SQLite file's connection that begin transactions by SQL, unnoticed by the driver. */
class SqliteTransactionsBySqlTest {
    @TempDir
    private Path folder;

    @Test
    void aTransactionThatWasBegunBySqlIsRolledBackAtClose() throws SQLException {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"))) {
            try (Connection connection = store.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE effects (name TEXT)");
                statement.execute("BEGIN IMMEDIATE");
                statement.execute("INSERT INTO effects VALUES ('abandoned')");
            }

            assertThat(store.apply(List.of(Commands.insert(ref(1))))).first().isInstanceOf(Verdict.Applied.class);
            try (Connection connection = store.dataSource().getConnection();
                    Statement statement = connection.createStatement();
                    var rows = statement.executeQuery("SELECT count(*) FROM effects")) {
                rows.next();
                assertThat(rows.getInt(1))
                        .as("rows of an abandoned transaction")
                        .isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN IMMEDIATE", " \n begin", "/* a comment */ BEGIN", "SAVEPOINT here"})
    void aTransactionThatWasBegunByAPreparedStatementIsRolledBackAtClose(String begin) throws SQLException {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"))) {
            try (Connection connection = store.dataSource().getConnection();
                    PreparedStatement statement = connection.prepareStatement(begin)) {
                statement.execute();
            }

            assertThat(store.apply(List.of(Commands.insert(ref(1))))).first().isInstanceOf(Verdict.Applied.class);
        }
    }

    @Test
    void aReturnedConnectionIsClosed() throws SQLException {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("claims.db"))) {
            Connection stale = store.dataSource().getConnection();
            stale.close();

            assertThat(stale.isClosed()).isTrue();
            assertThatThrownBy(stale::createStatement).isInstanceOf(SQLException.class);
        }
    }

    private static ClaimRef ref(int number) {
        byte[] digest = new byte[Digest.LENGTH];
        digest[0] = (byte) number;
        return new ClaimRef("acme", new Digest(digest));
    }
}
