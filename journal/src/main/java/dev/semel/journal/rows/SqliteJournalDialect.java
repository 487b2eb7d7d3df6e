// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import java.util.function.Function;

/** SQLite: one writer at a time, so rows become visible in their order. */
public final class SqliteJournalDialect implements JournalDialect {
    /** The database's clock, in microseconds since 1970. */
    public static final String NOW = "CAST(round(unixepoch('subsec') * 1000000) AS INTEGER)";

    @Override
    public <T> T choose(
            Function<PostgresJournalDialect, T> postgres,
            Function<MariaDbJournalDialect, T> mariaDb,
            Function<SqliteJournalDialect, T> sqlite) {
        return sqlite.apply(this);
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public String micros(String column) {
        return column;
    }
}
