// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.journal.rows.JournalDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writes call events to one kind of database, in as few round trips as possible. */
interface CallTables {
    static CallTables of(JournalDialect dialect) {
        return dialect.choose(PostgresCalls::new, MariaDbCalls::new, sqlite -> new SqliteCalls());
    }

    /**
     * Writes the calls whose signatures are new, as one transaction that is committed when the method returns. The connection is
     * in auto-commit mode before and after. No two rows have the same key. Writing the same rows again is safe.
     *
     * @return by the row's id, the id of the call that the database holds for each row
     */
    Map<UUID, UUID> write(Connection connection, List<CallRow> rows) throws SQLException;
}
