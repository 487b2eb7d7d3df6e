// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.ClaimRef;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How one kind of database writes records, in as few round trips as it can. A batch is one transaction that is committed
 * when a method returns; connections come in auto-commit mode and leave so. No two rows of a batch have the same key.
 * Writing the same rows again is safe.
 */
interface Tables {
    /** How many batches may be on their way at once without getting into each other's way. */
    int lanes();

    /** Once, before anything else. */
    void prepare(Connection connection) throws SQLException;

    /** Writes what is new; then, by key, the event that is there for each row. Large ones among many are left out. */
    Map<ClaimRef, StoredEvent> write(Connection connection, List<EventRow> rows) throws SQLException;

    /** Writes what is new; then, by the row's id, the id of the call that is there for each row. */
    Map<UUID, UUID> writeCalls(Connection connection, List<CallRow> rows) throws SQLException;

    InboxTables inbox();

    Reads reads();
}
