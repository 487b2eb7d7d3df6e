// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.MySqlLockWait;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements for claims with several digests inside a caller's transaction on MySQL. Each takes the lock of its row without
 * waiting, and then writes.
 */
final class MySqlAliases implements AliasStatements {
    private static final ListSql READ = MariaDbAliases.reading("@@transaction_isolation");

    /**
     * A locking read returns the latest version. Only for existing rows, because it would lock a gap for a missing one. Shared, so
     * that several callers can read a result.
     */
    private static final ListSql READ_LATEST = READ.followedBy(" FOR SHARE NOWAIT");

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        MariaDbAliases.read(connection, READ, IsolationCheck.MYSQL, refs, largest, found);
        if (found.isEmpty()) {
            // No row has told the level.
            requireIsolation(connection);
        }
        seen.putAll(found);
    }

    private static void requireIsolation(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT @@transaction_isolation")) {
            row.next();
            IsolationCheck.MYSQL.require(row.getString(1));
        }
    }

    static void readLatest(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        MariaDbAliases.read(connection, READ_LATEST, IsolationCheck.MYSQL, refs, largest, seen);
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        boolean isNew = command instanceof Command.Insert;
        NamedSql sql = isNew ? MariaDbSql.INSERT_ONE : MariaDbSql.TAKE_OVER;
        return write(connection, sql, ClaimParameters.of(command));
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, ClaimParameters parameters) throws SQLException {
        int written = write(connection, isNew ? MariaDbSql.INSERT_POINTER : MariaDbSql.POINT, parameters);
        return written == 0
                ? 0
                : MySqlLockWait.atMost(
                        1,
                        connection,
                        bounded -> MariaDbDialect.remembered(bounded, MariaDbSql.REMEMBER_POINTER, parameters));
    }

    @Override
    public void noteConflict(Connection connection, ClaimParameters parameters) throws SQLException {
        write(connection, MariaDbSql.NOTE_CONFLICT, parameters);
    }

    private static int write(Connection connection, NamedSql sql, ClaimParameters parameters) throws SQLException {
        lock(connection, parameters);
        return MySqlLockWait.atMost(1, connection, bounded -> MariaDbDialect.written(bounded, sql, parameters));
    }

    private static void lock(Connection connection, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = MySqlSql.LOCK.prepare(connection, parameters.put("largest", 0));
                ResultSet row = statement.executeQuery()) {
            row.next();
        }
    }
}
