// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import dev.semel.journal.rows.SqliteJournalDialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** SQLite: conditional insert, row by row in one transaction. SQLite has one writer at a time, so there are no races. */
final class SqliteCalls implements CallTables {
    private static final NamedSql WRITE = NamedSql.of("""
            INSERT INTO calls (id, site_id, signature_hash, verified, body, created_at)
            VALUES (:id, :site_id, :signature_hash, :verified, :body, {now})
            ON CONFLICT DO NOTHING
            """.replace("{now}", SqliteJournalDialect.NOW));

    private static final NamedSql READ = NamedSql.of("""
            SELECT id FROM calls WHERE id = :id
            UNION ALL
            SELECT id FROM calls WHERE site_id = :site_id AND signature_hash = :signature_hash
            """);

    @Override
    public Map<UUID, UUID> write(Connection connection, List<CallRow> rows) throws SQLException {
        Map<UUID, UUID> stored = new HashMap<>();
        Transaction.run(connection, TransactionBounds.none(), inTransaction -> {
            try (PreparedStatement write = WRITE.prepare(inTransaction);
                    PreparedStatement find = READ.prepare(inTransaction)) {
                for (CallRow row : rows) {
                    RowValues values = row.values();
                    if (WRITE.bind(write, values).executeUpdate() == 1) {
                        stored.put(row.id(), row.id());
                        continue;
                    }
                    try (ResultSet found = READ.bind(find, values).executeQuery()) {
                        if (found.next()) {
                            stored.put(row.id(), RowReader.id(found));
                        }
                    }
                }
            }
            return stored;
        });
        return stored;
    }
}
