// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.jdbc.sql.ArraySql;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * PostgreSQL: insert of arrays, one statement. The number of the write gives the order, as in all tables of the journal.
 */
final class PostgresInbox implements InboxTables {
    private static final ArraySql WRITE = ArraySql.of("""
            INSERT INTO webhook_inbox
                (id, tenant, provider, event_type, key_hash, key_prefix, content_type, verified, payload_hash, headers,
                 body, received_at, write)
            SELECT c.id, c.tenant, c.provider, c.event_type, c.key_hash, c.key_prefix, c.content_type, c.verified,
                   c.payload_hash, c.headers, c.body, statement_timestamp(), (SELECT semel_write())
            FROM unnest(:id::uuid[], :tenant::text[], :provider::text[], :event_type::text[], :key_hash::bytea[],
                        :key_prefix::text[], :content_type::text[], :verified::boolean[], :payload_hash::bytea[],
                        :headers::bytea[], :body::bytea[])
                 AS c (id, tenant, provider, event_type, key_hash, key_prefix, content_type, verified, payload_hash,
                       headers, body)
            """);

    @Override
    public void write(Connection connection, List<InboxRow> rows) throws SQLException {
        List<RowValues> values =
                rows.stream().map(row -> row.values().put("id", row.id())).toList();
        try (PreparedStatement statement = WRITE.prepare(connection, values)) {
            statement.executeUpdate();
        }
    }

    @Override
    public String now() {
        return "statement_timestamp()";
    }

    @Override
    public String leaseEnd() {
        return "statement_timestamp() + :lease * interval '1 microsecond'";
    }

    @Override
    public String token() {
        return "CAST(:token AS uuid)";
    }

    @Override
    public String skipLocked() {
        return "FOR UPDATE SKIP LOCKED";
    }

    @Override
    public String purge() {
        return """
                DELETE FROM webhook_inbox WHERE id IN (
                    SELECT id FROM webhook_inbox
                    WHERE acked_at <= statement_timestamp() - :retention * interval '1 microsecond'
                    ORDER BY acked_at LIMIT :limit FOR UPDATE SKIP LOCKED)
                """;
    }
}
