// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.testservers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class RowLevelSecurityTest {
    private static final Operation<String> OPERATION = Operation.of("any", Codec.text());

    @Test
    void aRoleSeesTheTenantThatItSetAndNoOther() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared())) {
            JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(2));
            applyOption(database);
            database.execute(
                    "DROP ROLE IF EXISTS reporter",
                    "CREATE ROLE reporter LOGIN PASSWORD 'reporter'",
                    "GRANT SELECT ON idempotency_keys TO reporter");
            try (Semel semel = Semel.on(store)
                    .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                    .build()) {
                semel.execute(OPERATION, OPERATION.key("acme", "1"), run -> "a");
                semel.execute(OPERATION, OPERATION.key("acme", "2"), run -> "b");
                semel.execute(OPERATION, OPERATION.key("globex", "1"), run -> "c");
            }

            try (Connection reporter = DriverManager.getConnection(database.url(), "reporter", "reporter")) {
                assertThat(visible(reporter)).as("without a tenant").isZero();
                try (Statement statement = reporter.createStatement()) {
                    statement.execute("SET semel.tenant = 'acme'");
                }
                assertThat(visible(reporter)).isEqualTo(2);
            } finally {
                database.execute("DROP OWNED BY reporter", "DROP ROLE reporter");
            }
        }
    }

    private static void applyOption(ClaimDatabase database) throws Exception {
        try (var resource = Schema.class.getResourceAsStream("postgresql/option_row_level_security.sql")) {
            assertThat(resource).isNotNull();
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            database.execute(text);
        }
    }

    private static int visible(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM idempotency_keys")) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }
}
