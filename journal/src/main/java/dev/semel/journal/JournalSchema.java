// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.SchemaFiles;
import dev.semel.jdbc.sql.SchemaFiles.SchemaFile;
import dev.semel.jdbc.sql.SchemaTable;
import java.util.List;

/** The schema files of the journal, and the tables that must exist after each. */
final class JournalSchema {
    /** V1 has functions of the same names, whose numbers are lower than those that readers have already passed. */
    private static final String WRITE_NUMBERS = """
            SELECT 1 FROM pg_proc
            WHERE oid IN (to_regprocedure('semel_write()')::oid, to_regprocedure('semel_settled()')::oid)
              AND prosrc LIKE '%semel_write_numbers%'
            HAVING count(*) = 2
            """;

    private static final SchemaTable EVENTS = SchemaTable.of(
                    "events",
                    "id",
                    "org_id",
                    "actor_id",
                    "event_type",
                    "entity_type",
                    "entity_id",
                    "payload",
                    "members",
                    "created_at",
                    "position")
            .unique("events_id_uq", "id");

    private static final SchemaTable LEDGER_KEYS = SchemaTable.of(
                    "ledger_ingestion_idempotency", "key_hash", "org_id", "idempotency_key", "event_id", "created_at")
            .unique("ledger_ingestion_key_hash_uq", "key_hash");

    private static final SchemaTable CALLS = SchemaTable.of(
                    "calls", "id", "site_id", "signature_hash", "verified", "body", "created_at", "position")
            .unique("calls_id_uq", "id")
            .uniqueWhereNotNull("calls_site_signature_hash_uq", "signature_hash", "site_id", "signature_hash");

    private static final SchemaTable WRITES = SchemaTable.of("semel_writes", "id", "base", "cluster")
            .unique("semel_writes_id_uq", "id")
            .only(Database.POSTGRESQL);

    private static final SchemaTable POSITIONS = SchemaTable.of("semel_positions", "name", "last_position")
            .unique("semel_positions_name_uq", "name")
            .only(Database.MARIADB, Database.MYSQL);

    private static final SchemaTable INBOX = SchemaTable.of(
                    "webhook_inbox",
                    "id",
                    "tenant",
                    "provider",
                    "event_type",
                    "key_hash",
                    "key_prefix",
                    "content_type",
                    "verified",
                    "payload_hash",
                    "headers",
                    "body",
                    "received_at",
                    "acked_at",
                    "acked_by",
                    "position")
            .unique("webhook_inbox_id_uq", "id");

    private static final SchemaTable INBOX_TAKES =
            SchemaTable.of("webhook_inbox", "taken_until", "take_token", "taken_by");

    private static final SchemaTable NUMBERS =
            SchemaTable.of("semel_write_numbers", "last_value", "is_called").only(Database.POSTGRESQL);

    static final SchemaFiles FILES = new SchemaFiles(
            Journal.class,
            "semel_records_schema_version",
            "Journal.schema(dataSource).migrate()",
            List.of(
                    SchemaFile.of(1, "V1__records.sql", EVENTS, LEDGER_KEYS, CALLS, WRITES, POSITIONS),
                    SchemaFile.of(2, "V2__webhook_inbox.sql", INBOX),
                    SchemaFile.of(3, "V3__write_numbers.sql", NUMBERS).provedBy(Database.POSTGRESQL, WRITE_NUMBERS),
                    SchemaFile.of(4, "V4__inbox_takes.sql", INBOX_TAKES)));

    private JournalSchema() {}
}
