// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** How one kind of database keeps the inbox. */
interface InboxTables {
    /** Writes rows that are new, inside the transaction that has just made their claims. */
    void write(Connection connection, List<InboxRow> rows) throws SQLException;

    /** The database's clock, as a column holds it. */
    String now();

    /** Deletes, oldest first, at most {@code :limit} events that were acknowledged {@code :retention} microseconds ago. */
    String purge();
}
