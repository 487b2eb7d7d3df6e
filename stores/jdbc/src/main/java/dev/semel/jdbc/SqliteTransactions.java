// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** SQLite: a transaction that writes is the only one, so plain statements suffice and no claim is ever in progress. */
final class SqliteTransactions implements TransactionDialect {
    private final SqliteDialect dialect;

    SqliteTransactions(SqliteDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public TransactionBounds bounds() {
        return TransactionBounds.none();
    }

    @Override
    public AliasStatements aliasStatements() {
        return dialect;
    }

    @Override
    public Optional<Verdict> acquire(Connection connection, Command command) throws SQLException {
        return Optional.of(applied(
                connection,
                command,
                command instanceof Command.Insert ? SqliteDialect.INSERT : SqliteDialect.TAKE_OVER));
    }

    @Override
    public boolean settle(Connection connection, Command.Settle settlement) throws SQLException {
        return applied(connection, settlement, SqliteDialect.SETTLE) instanceof Verdict.Applied;
    }

    private static Verdict applied(Connection connection, Command command, NamedSql sql) throws SQLException {
        CommandBatch batch = new CommandBatch(List.of(command));
        try (PreparedStatement statement = sql.prepare(connection, ClaimParameters.of(command))) {
            ClaimRows.applied(statement, batch);
        }
        if (!batch.open().isEmpty()) {
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            try (PreparedStatement statement = SqliteDialect.READ.prepare(
                    connection, ClaimParameters.of(command.ref()).put("largest", batch.largestResult()))) {
                ClaimRows.collect(statement, found);
            }
            found.forEach(batch::found);
        }
        return batch.verdicts().get(0);
    }

    /** Prepares each statement once: the driver caches none, and preparing takes longer than running. */
    @Override
    public Set<ClaimRef> insertSettled(Connection connection, List<SettledClaim> claims) throws SQLException {
        Set<ClaimRef> fresh = new HashSet<>();
        try (PreparedStatement insert = SqliteDialect.INSERT.prepare(connection);
                PreparedStatement settle = SqliteDialect.SETTLE.prepare(connection)) {
            for (SettledClaim claim : claims) {
                if (changes(SqliteDialect.INSERT.bind(insert, ClaimParameters.of(claim.insert())))
                        && changes(SqliteDialect.SETTLE.bind(settle, ClaimParameters.of(claim.settlement())))) {
                    fresh.add(claim.insert().ref());
                }
            }
        }
        return fresh;
    }

    private static boolean changes(PreparedStatement statement) throws SQLException {
        try (ResultSet changed = statement.executeQuery()) {
            return changed.next();
        }
    }
}
