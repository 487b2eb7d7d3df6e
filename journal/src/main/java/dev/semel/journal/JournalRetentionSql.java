// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.Database;
import dev.semel.journal.rows.SqliteJournalDialect;

/** The statements of {@link JournalRetention} for one database. {@code {table}}, {@code {key}} and {@code {time}} are names. */
record JournalRetentionSql(String delete, String due) {
    private static final JournalRetentionSql POSTGRESQL = new JournalRetentionSql("""
            DELETE FROM {table} WHERE {key} IN (
                SELECT {key} FROM {table}
                WHERE {time} <= statement_timestamp() - :age * interval '1 microsecond'
                ORDER BY {time} LIMIT :limit FOR UPDATE SKIP LOCKED)
            """, """
            SELECT count(*) FROM (
                SELECT 1 FROM {table} WHERE {time} <= statement_timestamp() - :age * interval '1 microsecond'
                LIMIT :limit) AS d
            """);

    private static final JournalRetentionSql MARIADB = new JournalRetentionSql("""
            DELETE FROM {table} WHERE {time} <= UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
            ORDER BY {time} LIMIT :limit
            """, """
            SELECT count(*) FROM (
                SELECT 1 FROM {table} WHERE {time} <= UTC_TIMESTAMP(6) - INTERVAL :age MICROSECOND
                LIMIT :limit) AS d
            """);

    private static final JournalRetentionSql SQLITE = new JournalRetentionSql(
            """
            DELETE FROM {table} WHERE {key} IN (
                SELECT {key} FROM {table} WHERE {time} <= {now} - :age ORDER BY {time} LIMIT :limit)
            """.replace("{now}", SqliteJournalDialect.NOW), """
            SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {time} <= {now} - :age LIMIT :limit)
            """.replace("{now}", SqliteJournalDialect.NOW));

    static JournalRetentionSql of(Database database) {
        return switch (database) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB, MYSQL -> MARIADB;
            case SQLITE -> SQLITE;
        };
    }
}
