// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.claim.ClaimRef;
import dev.semel.journal.rows.JournalDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Writes events and their keys to one kind of database, in as few round trips as possible. */
interface LedgerTables {
    static LedgerTables of(JournalDialect dialect) {
        return dialect.choose(PostgresLedger::new, MariaDbLedger::new, SqliteLedger::new);
    }

    /**
     * Writes the events whose keys are new, as one transaction that is committed when the method returns. The connection is in
     * auto-commit mode before and after. No two rows have the same key. Writing the same rows again is safe.
     *
     * @return by key, the event that the database holds for each row; if there are many, the texts of large ones are omitted
     */
    Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException;
}
