// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.jdbc.sql.ListSql;
import dev.semel.journal.rows.MariaDbJournalDialect;
import dev.semel.journal.rows.MariaDbPositionLock;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * MariaDB and MySQL: short lock, as in all tables of the journal. The transaction takes this lock last, after its claims. Claims never
 * wait for it, so there can be no deadlock.
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
            """.replace("{moment}", MariaDbPositionLock.MOMENT));

    private final MariaDbJournalDialect dialect;

    MariaDbInbox(MariaDbJournalDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public void write(Connection connection, List<InboxRow> rows) throws SQLException {
        List<RowValues> values = rows.stream()
                .map(row -> row.values()
                        .put("tenant", MariaDbJournalDialect.bytes(row.entry().tenant()))
                        .put("provider", MariaDbJournalDialect.bytes(row.entry().provider())))
                .toList();
        dialect.lockSoon(connection, "webhook_inbox").place(connection, values);
        try (PreparedStatement statement = WRITE.prepareAll(connection, values)) {
            statement.executeUpdate();
        }
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String leaseEnd() {
        return "UTC_TIMESTAMP(6) + INTERVAL :lease MICROSECOND";
    }

    @Override
    public String skipLocked() {
        return "FOR UPDATE SKIP LOCKED";
    }

    @Override
    public String purge() {
        return """
                DELETE FROM webhook_inbox
                WHERE acked_at <= UTC_TIMESTAMP(6) - INTERVAL :retention MICROSECOND
                ORDER BY acked_at LIMIT :limit
                """;
    }
}
