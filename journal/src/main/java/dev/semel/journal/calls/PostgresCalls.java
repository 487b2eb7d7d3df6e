// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.jdbc.sql.ArraySql;
import dev.semel.journal.rows.PostgresJournalDialect;
import dev.semel.journal.rows.RowReader;
import dev.semel.journal.rows.RowValues;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** PostgreSQL: conditional insert of arrays. Further statements find the calls of existing signatures. */
final class PostgresCalls implements CallTables {
    private static final ArraySql WRITE = ArraySql.of("""
            INSERT INTO calls AS e (id, site_id, signature_hash, verified, body, created_at, write)
            SELECT c.id, c.site_id, c.signature_hash, c.verified, c.body::json, statement_timestamp(), (SELECT semel_write())
            FROM unnest(:id::uuid[], :site_id::text[], :signature_hash::text[], :verified::boolean[], :body::text[])
                 AS c (id, site_id, signature_hash, verified, body)
            ON CONFLICT DO NOTHING
            RETURNING e.id
            """);

    private static final ArraySql READ = ArraySql.of("""
            SELECT c.id AS wanted, e.id
            FROM unnest(:id::uuid[], :site_id::text[], :signature_hash::text[]) AS c (id, site_id, signature_hash)
            JOIN calls AS e ON e.site_id = c.site_id AND e.signature_hash = c.signature_hash
                 AND e.signature_hash IS NOT NULL
            """);

    private static final ArraySql READ_OWN = ArraySql.of("""
            SELECT e.id AS wanted, e.id FROM calls AS e WHERE e.id = ANY (:id::uuid[])
            """);

    private final PostgresJournalDialect dialect;

    PostgresCalls(PostgresJournalDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public Map<UUID, UUID> write(Connection connection, List<CallRow> rows) throws SQLException {
        List<RowValues> values = new ArrayList<>(rows.stream()
                .sorted(Comparator.comparing((CallRow row) -> row.call().siteId())
                        .thenComparing(row -> String.valueOf(row.call().signatureHash())))
                .map(row -> row.values().put("id", row.id()))
                .toList());
        Map<UUID, UUID> stored = new HashMap<>();
        dialect.insert(connection, WRITE, values, row -> stored.put(RowReader.id(row), RowReader.id(row)));
        for (ArraySql sql : List.of(READ, READ_OWN)) {
            values.removeIf(value -> stored.containsKey(value.get("id")));
            if (!values.isEmpty()) {
                try (PreparedStatement statement = sql.prepare(connection, values);
                        ResultSet found = statement.executeQuery()) {
                    while (found.next()) {
                        stored.put(UUID.fromString(found.getString("wanted")), RowReader.id(found));
                    }
                }
            }
        }
        return stored;
    }
}
