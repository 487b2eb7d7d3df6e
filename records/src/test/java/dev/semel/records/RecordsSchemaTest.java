// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.jdbc.SchemaException;
import dev.semel.key.Secrets;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Kind.class)
class RecordsSchemaTest {
    @Parameter
    Kind kind;

    @TempDir
    Path folder;

    @Test
    void aFileIsAppliedOnce_besideTheClaims() throws Exception {
        try (TestDatabase database = TestDatabase.of(kind, folder)) {
            Records.schema(database.dataSource()).migrate();

            assertThat(database.count("semel_records_schema_version")).isEqualTo(2);
            assertThat(database.count("semel_schema_version")).isEqualTo(2);
        }
    }

    @Test
    void aMissingTableIsNamedTogetherWithTheFix() throws Exception {
        try (TestDatabase database = TestDatabase.of(kind, folder)) {
            database.execute("DROP TABLE calls");

            assertThatThrownBy(() -> Records.on(database.dataSource()).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("Records.schema(dataSource).migrate()")
                    .hasMessageContaining("calls_site_signature_hash_uq");
        }
    }

    /** MariaDB commits every statement of a file by itself: it may be done, and yet not noted as done. */
    @Test
    void aMigrationThatWasInterruptedIsFinished() throws Exception {
        assumeTrue(kind != Kind.SQLITE, "a file is one transaction there");
        try (TestDatabase database = TestDatabase.of(kind, folder)) {
            database.execute("DELETE FROM semel_records_schema_version");
            Records.schema(database.dataSource()).migrate();
            assertThatCode(() -> Records.schema(database.dataSource()).check()).doesNotThrowAnyException();
            assertThat(database.count("semel_records_schema_version")).isEqualTo(2);
        }
    }

    /** As the first version left it, with records in it. */
    @Test
    void theInboxComesToADatabaseOfTheVersionBefore() throws Exception {
        try (TestDatabase database = TestDatabase.of(kind, folder)) {
            UUID event = Entries.event(Entries.get(database.records().ledger().ingest(Entries.entry("key"))))
                    .id();
            database.execute("DROP TABLE webhook_inbox");
            database.execute("DELETE FROM semel_records_schema_version WHERE version = 2");
            if (kind == Kind.MARIADB) {
                database.execute("DELETE FROM semel_positions WHERE name = 'webhook_inbox'");
            }
            assertThatThrownBy(() -> Records.on(database.dataSource()).build())
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("V2__webhook_inbox.sql");

            Records.schema(database.dataSource()).migrate();

            Records records = database.records(builder -> builder.inbox(Secrets.of(Webhooks.OLD)));
            Webhooks.recorded(Entries.get(records.inbox().record(Webhooks.webhook("ev_1"), Webhooks.WAIT)));
            assertThat(Entries.get(records.ledger().find("acme", event))).isPresent();
            assertThat(database.count("semel_records_schema_version")).isEqualTo(2);
        }
    }
}
