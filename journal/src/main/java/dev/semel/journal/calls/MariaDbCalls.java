// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import static dev.semel.journal.rows.MariaDbJournalDialect.bytes;
import static dev.semel.journal.rows.MariaDbJournalDialect.insert;
import static dev.semel.journal.rows.MariaDbJournalDialect.repeated;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.journal.rows.MariaDbJournalDialect;
import dev.semel.journal.rows.MariaDbPositionLock;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** MariaDB and MySQL: short lock. Existing calls are read, then read again under the lock; the rest is written. */
final class MariaDbCalls implements CallTables {
    private static final String WRITE = """
            INSERT INTO calls (position, id, site_id, signature_hash, verified, body, created_at) VALUES {rows}
            """;

    private static final String ROW = "(:position, :id, :site_id, :signature_hash, :verified, :body, {moment})"
            .replace("{moment}", MariaDbPositionLock.MOMENT);

    private static final String READ = """
            SELECT id, site_id, signature_hash FROM calls WHERE id IN ({ids})
            UNION ALL
            SELECT id, site_id, signature_hash FROM calls WHERE {signatures}
            """;

    /** The optimizer uses the index for such conditions, but not for a list of pairs. */
    private static final String SAME_SIGNATURE = "(site_id = :site_id AND signature_hash = :signature_hash)";

    private final MariaDbJournalDialect dialect;

    MariaDbCalls(MariaDbJournalDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Map<UUID, UUID> write(Connection connection, List<CallRow> rows) throws SQLException {
        Map<UUID, UUID> stored = new HashMap<>();
        read(connection, rows, stored);
        if (stored.size() < rows.size()) {
            dialect.readCommitted(connection, inTransaction -> {
                MariaDbPositionLock lock = MariaDbPositionLock.lock(inTransaction, "calls");
                read(inTransaction, absent(rows, stored), stored);
                List<CallRow> absent = absent(rows, stored);
                if (absent.isEmpty()) {
                    return;
                }
                List<RowValues> values = values(absent);
                lock.place(inTransaction, values);
                insert(inTransaction, WRITE, ROW, values);
                absent.forEach(row -> stored.put(row.id(), row.id()));
            });
        }
        return stored;
    }

    private static List<CallRow> absent(List<CallRow> rows, Map<UUID, UUID> stored) {
        return rows.stream().filter(row -> !stored.containsKey(row.id())).toList();
    }

    private static List<RowValues> values(List<CallRow> rows) {
        return rows.stream()
                .map(row -> row.values().put("site_id", bytes(row.call().siteId())))
                .toList();
    }

    private static void read(Connection connection, List<CallRow> rows, Map<UUID, UUID> stored) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        Map<List<String>, UUID> wanted = new HashMap<>();
        for (CallRow row : rows) {
            wanted.put(List.of(row.id().toString()), row.id());
            String hash = row.call().signatureHash();
            if (hash != null) {
                wanted.put(List.of(row.call().siteId(), hash), row.id());
            }
        }
        NamedSql sql = NamedSql.of(READ.replace("{ids}", repeated(":id", ", ", rows.size()))
                .replace("{signatures}", repeated(SAME_SIGNATURE, " OR ", rows.size())));
        try (PreparedStatement statement = sql.prepareAll(connection, values(rows));
                ResultSet found = statement.executeQuery()) {
            while (found.next()) {
                UUID id = RowReader.id(found);
                UUID own = wanted.get(List.of(id.toString()));
                String hash = found.getString("signature_hash");
                UUID same = hash == null ? null : wanted.get(List.of(found.getString("site_id"), hash));
                if (own != null) {
                    stored.put(own, id);
                }
                if (same != null) {
                    stored.put(same, id);
                }
            }
        }
    }
}
