// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;

/** The statements for claims with several digests. */
interface AliasStatements {
    /**
     * Reads rows as they are stored. The database omits larger results, because drivers keep all rows of an answer in
     * memory.
     */
    void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException;

    /** Runs an insert or a take-over inside a transaction. Returns the number of changed rows. */
    int write(Connection connection, Command command) throws SQLException;

    /**
     * Inside a transaction, inserts a pointer row or turns a reclaimable row into one. Returns the number of changed
     * rows.
     */
    int writePointer(Connection connection, boolean isNew, ClaimParameters parameters) throws SQLException;

    /**
     * Inside a transaction, marks the record at {@code :key_hash} with {@code :other}, unless it already has a mark.
     */
    void noteConflict(Connection connection, ClaimParameters parameters) throws SQLException;
}
