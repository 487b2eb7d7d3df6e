// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The statements for claims with several digests inside a caller's transaction on MariaDB. None waits for a lock. */
final class MariaDbAliases implements AliasStatements {
    private static final NamedSql INSERT = MariaDbSql.INSERT_ONE.after(MariaDbTransactions.WITHOUT_WAITING);
    private static final NamedSql TAKE_OVER = MariaDbSql.TAKE_OVER.after(MariaDbTransactions.WITHOUT_WAITING);
    private static final NamedSql INSERT_POINTER = MariaDbSql.INSERT_POINTER.after(MariaDbTransactions.WITHOUT_WAITING);
    private static final NamedSql POINT = MariaDbSql.POINT.after(MariaDbTransactions.WITHOUT_WAITING);
    private static final NamedSql REMEMBER_POINTER =
            MariaDbSql.REMEMBER_POINTER.after(MariaDbTransactions.WITHOUT_WAITING);
    private static final NamedSql NOTE_CONFLICT = MariaDbSql.NOTE_CONFLICT.after(MariaDbTransactions.WITHOUT_WAITING);

    /**
     * A locking read returns the latest version. Only for existing rows, because it would lock a gap for a missing one.
     */
    private static final ListSql READ_LATEST =
            reading("@@tx_isolation").after(MariaDbTransactions.WITHOUT_WAITING).followedBy(" LOCK IN SHARE MODE");

    private static final ListSql READ = reading("@@tx_isolation");

    /** @param isolation the variable with the session's isolation level */
    static ListSql reading(String isolation) {
        return ListSql.of(
                """
                SELECT {isolation} AS isolation, {snapshot} FROM idempotency_keys WHERE key_hash IN ({rows})
                """.replace("{isolation}", isolation).replace("{snapshot}", MariaDbSql.SNAPSHOT), ":key_hash");
    }

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        read(connection, READ, IsolationCheck.MARIADB, refs, largest, seen);
    }

    static void readLatest(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        read(connection, READ_LATEST, IsolationCheck.MARIADB, refs, largest, seen);
    }

    static void read(
            Connection connection,
            ListSql sql,
            IsolationCheck isolation,
            Collection<ClaimRef> refs,
            int largest,
            Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        List<ClaimParameters> digests = refs.stream().map(ClaimParameters::of).toList();
        digests.get(0).put("largest", largest);
        try (PreparedStatement statement = PreparedSizes.prepare(connection, sql, digests);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                isolation.require(rows.getString("isolation"));
                Snapshot row = ClaimRows.snapshot(rows);
                // Tenants are compared exactly here, because the collation ignores trailing spaces.
                if (refs.contains(row.ref())) {
                    seen.put(row.ref(), row);
                }
            }
        }
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        NamedSql sql = command instanceof Command.Insert ? INSERT : TAKE_OVER;
        return MariaDbDialect.written(connection, sql, ClaimParameters.of(command));
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, ClaimParameters parameters) throws SQLException {
        int written = MariaDbDialect.written(connection, isNew ? INSERT_POINTER : POINT, parameters);
        return written == 0 ? 0 : MariaDbDialect.remembered(connection, REMEMBER_POINTER, parameters);
    }

    @Override
    public void noteConflict(Connection connection, ClaimParameters parameters) throws SQLException {
        MariaDbDialect.written(connection, NOTE_CONFLICT, parameters);
    }
}
