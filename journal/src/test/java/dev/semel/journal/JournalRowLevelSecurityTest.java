// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import static dev.semel.journal.Entries.call;
import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.key.Secrets;
import dev.semel.spi.HistoryEntry;
import dev.semel.testservers.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JournalRowLevelSecurityTest {
    private static final String ROLE = "records_reporter";

    @Test
    void aRoleSeesAndWritesOnlyTheTenantThatItSet_inEveryTableWithATenant() throws Exception {
        try (MigratedDatabase database = MigratedDatabase.on(PostgresServer.shared())) {
            database.execute(option(Schema.class));
            database.execute(option(Journal.class));
            Journal journal = database.journal(builder -> builder.inbox(Secrets.of(InboxEntries.OLD)));
            for (String tenant : List.of("acme", "globex")) {
                get(journal.ledger().ingest(entry(tenant, "key", "{}")));
                get(journal.calls().record(call(tenant, "signature")));
                get(journal.inbox().record(webhookOf(tenant, "ev_1", "{}"), WAIT));
                ClaimRef ref = new ClaimRef(
                        tenant, new Digest(tenant.repeat(32).substring(0, 32).getBytes(StandardCharsets.UTF_8)));
                JdbcClaimStore claims = JdbcClaimStore.on(database.dataSource());
                claims.add(List.of(HistoryEntry.of(HistoryEntry.Kind.PARKED, ref, "scope", 1, null)));
                claims.addReplays(Map.of(ref, 1L));
            }
            database.execute("CREATE ROLE %s LOGIN PASSWORD 'reporter'".formatted(ROLE));
            try (Connection reporter = DriverManager.getConnection(database.url(), ROLE, "reporter");
                    Statement statement = reporter.createStatement()) {
                List<String> tables = tablesWithATenant(database);
                assertThat(tables).hasSize(7);
                for (String table : tables) {
                    database.execute("GRANT SELECT, INSERT ON %s TO %s".formatted(table, ROLE));
                    assertThat(count(statement, table))
                            .as("%s, while no tenant is set", table)
                            .isZero();
                }
                statement.execute("SET semel.tenant = 'acme'");
                for (String table : tables) {
                    assertThat(count(statement, table)).as(table).isEqualTo(1);
                }
                statement.execute("INSERT INTO events (org_id, event_type) VALUES ('acme', 'other')");
                assertThat(count(statement, "events")).isEqualTo(2);
                assertThatThrownBy(() ->
                                statement.execute("INSERT INTO events (org_id, event_type) VALUES ('globex', 'other')"))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("row-level security");
            } finally {
                database.execute("DROP OWNED BY " + ROLE);
                database.execute("DROP ROLE " + ROLE);
            }
        }
    }

    private static String option(Class<?> beside) throws Exception {
        try (var resource = beside.getResourceAsStream("postgresql/option_row_level_security.sql")) {
            assertThat(resource).as("the optional file next to %s", beside).isNotNull();
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Read from the catalog, so that a new table is not forgotten. */
    private static List<String> tablesWithATenant(MigratedDatabase database) throws Exception {
        return List.of(database.single("""
                        SELECT string_agg(DISTINCT table_name, ',') FROM information_schema.columns
                        WHERE table_schema = 'public' AND column_name IN ('tenant', 'org_id', 'site_id')
                        """).split(",", -1));
    }

    private static int count(Statement statement, String table) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            assertThat(rows.next()).isTrue();
            return rows.getInt(1);
        }
    }
}
