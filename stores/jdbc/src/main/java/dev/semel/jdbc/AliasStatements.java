// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;

/** The statements that claims with several names are made of. */
interface AliasStatements {
    /**
     * Reads rows as they are stored. The database leaves out results of more bytes than this, because drivers hold all rows
     * of an answer in memory.
     */
    void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException;

    /** Runs an insert or a take-over within a transaction; how many rows it made or changed. */
    int write(Connection connection, Command command) throws SQLException;

    /** Within a transaction, makes a row that leads to a record, or a free row into one; how many it made or changed. */
    int writePointer(Connection connection, boolean isNew, Parameters parameters) throws SQLException;

    /** Within a transaction, marks the record at {@code :key_hash} with {@code :other}, unless it has a mark. */
    void noteConflict(Connection connection, Parameters parameters) throws SQLException;
}
