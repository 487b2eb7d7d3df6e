// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.rows.SqliteJournalDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** SQLite: row by row. SQLite has one writer at a time, so there are no races. */
final class SqliteInbox implements InboxTables {
    private static final NamedSql WRITE = NamedSql.of("""
            INSERT INTO webhook_inbox
                (id, tenant, provider, event_type, key_hash, key_prefix, content_type, verified, payload_hash, headers,
                 body, received_at)
            VALUES (:id, :tenant, :provider, :event_type, :key_hash, :key_prefix, :content_type, :verified,
                    :payload_hash, :headers, :body, {now})
            """.replace("{now}", SqliteJournalDialect.NOW));

    @Override
    public void write(Connection connection, List<InboxRow> rows) throws SQLException {
        try (PreparedStatement statement = WRITE.prepare(connection)) {
            for (InboxRow row : rows) {
                WRITE.bind(statement, row.values()).executeUpdate();
            }
        }
    }

    @Override
    public String now() {
        return SqliteJournalDialect.NOW;
    }

    @Override
    public String leaseEnd() {
        return SqliteJournalDialect.NOW + " + :lease";
    }

    /** The transaction began as the only writer. */
    @Override
    public String skipLocked() {
        return "";
    }

    @Override
    public String purge() {
        return """
                DELETE FROM webhook_inbox WHERE position IN (
                    SELECT position FROM webhook_inbox WHERE acked_at <= {now} - :retention
                    ORDER BY acked_at LIMIT :limit)
                """.replace("{now}", SqliteJournalDialect.NOW);
    }
}
