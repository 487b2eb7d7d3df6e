// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.journal.rows.JournalDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Writes and deletes inbox events in one kind of database. */
interface InboxTables {
    static InboxTables of(JournalDialect dialect) {
        return dialect.choose(postgres -> new PostgresInbox(), MariaDbInbox::new, sqlite -> new SqliteInbox());
    }

    /** Writes new rows, inside the transaction that has just claimed their keys. */
    void write(Connection connection, List<InboxRow> rows) throws SQLException;

    /** The time by the database's clock, as an expression for a column. */
    String now();

    /** The time {@code :lease} microseconds from now, by the database's clock. */
    String leaseEnd();

    /** The parameter {@code :token}. */
    default String token() {
        return ":token";
    }

    /** Locks the rows of a query, and leaves out rows that others have locked. */
    String skipLocked();

    /**
     * A statement that deletes at most {@code :limit} events that were acknowledged more than {@code :retention} microseconds ago,
     * oldest first.
     */
    String purge();
}
