// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.ListSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * MariaDB: short lock, as with all records. It is the last thing that the transaction takes, after its claims, for which
 * nobody waits: so nobody waits in a circle.
 */
final class MariaDbInbox implements InboxTables {
    private static final ListSql WRITE = ListSql.of("""
            INSERT INTO webhook_inbox
                (position, id, tenant, provider, event_type, key_hash, key_prefix, content_type, verified, payload_hash,
                 headers, body, received_at)
            VALUES {rows}
            """, """
            (:position, :id, :tenant, :provider, :event_type, :key_hash, :key_prefix, :content_type, :verified,
             :payload_hash, :headers, :body, {moment})
            """.replace("{moment}", MariaDbPosition.MOMENT));

    @Override
    public void write(Connection connection, List<InboxRow> rows) throws SQLException {
        List<Values> values = rows.stream()
                .map(row -> row.values()
                        .put("tenant", MariaDbTables.bytes(row.entry().tenant()))
                        .put("provider", MariaDbTables.bytes(row.entry().provider())))
                .toList();
        MariaDbPosition.lockSoon(connection, "webhook_inbox").place(connection, values);
        try (PreparedStatement statement = WRITE.prepareAll(connection, values)) {
            statement.executeUpdate();
        }
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String purge() {
        return """
                DELETE FROM webhook_inbox
                WHERE acked_at < UTC_TIMESTAMP(6) - INTERVAL :retention MICROSECOND
                ORDER BY acked_at LIMIT :limit
                """;
    }
}
