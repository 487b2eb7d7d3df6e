// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.StoreException;
import dev.semel.jdbc.sql.MySqlLockWait;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.TransactionBounds;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MySQL: a locking read with NOWAIT before each insert meets the uncommitted row of another transaction at once. A row that is
 * inserted between the two is met by the insert itself, which waits for a second: the shortest wait that MySQL has. At READ
 * COMMITTED, the only level that is supported ({@link IsolationCheck}), the read of a missing row locks nothing.
 *
 * <p>A refused lock undoes that statement only. Servers with innodb_rollback_on_timeout undo the transaction instead and are
 * rejected. A deadlock always ends the transaction, so it is a conflict, and never means that the key is taken.
 *
 * <p>Rows are read first, without locks, so that a replay locks nothing.
 */
final class MySqlTransactions implements TransactionDialect {
    private static final NamedSql READ = MariaDbTransactions.reading("@@transaction_isolation");

    private static final NamedSql INSERT = NamedSql.of(MariaDbSql.INSERT.replace("{rows}", MariaDbSql.INSERT_ROW));

    private final MySqlDialect dialect;
    private final MySqlAliases aliases = new MySqlAliases();

    private MySqlTransactions(MySqlDialect dialect) {
        this.dialect = dialect;
    }

    /** @throws StoreException if a lock wait timeout ends the transaction on this server */
    static MySqlTransactions on(MySqlDialect dialect, Connection connection) throws SQLException {
        MariaDbTransactions.requireStatementRollback(connection);
        return new MySqlTransactions(dialect);
    }

    @Override
    public Optional<Verdict> acquire(Connection connection, Command command) throws SQLException {
        try {
            return Optional.of(
                    command instanceof Command.Insert insert
                            ? insert(connection, insert)
                            : takeOver(connection, (Command.TakeOver) command));
        } catch (SQLException e) {
            if (isTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public AliasStatements aliasStatements() {
        return aliases;
    }

    @Override
    public boolean isTaken(SQLException failure) {
        return MySqlSql.isTaken(failure);
    }

    @Override
    public void readLatest(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        MySqlAliases.readLatest(connection, refs, largest, seen);
    }

    private static Verdict insert(Connection connection, Command.Insert insert) throws SQLException {
        Snapshot seen = MariaDbTransactions.readCommitted(connection, READ, IsolationCheck.MYSQL, insert.ref());
        if (seen == null) {
            seen = row(MySqlSql.LOCK, connection, insert.ref());
        }
        if (seen == null) {
            run(connection, INSERT, ClaimParameters.of(insert));
            // The insert has locked the row: its own, or one that exists.
            seen = row(MySqlSql.LOCK, connection, insert.ref());
        }
        return Verdict.of(insert, seen);
    }

    private static Verdict takeOver(Connection connection, Command.TakeOver takeOver) throws SQLException {
        Snapshot locked = row(MySqlSql.LOCK, connection, takeOver.ref());
        if (locked == null) {
            return Verdict.of(takeOver, null);
        }
        run(connection, MariaDbSql.TAKE_OVER, ClaimParameters.of(takeOver));
        return Verdict.of(takeOver, row(MySqlSql.LOCK, connection, takeOver.ref()));
    }

    private static @Nullable Snapshot row(NamedSql sql, Connection connection, ClaimRef ref) throws SQLException {
        return MariaDbTransactions.only(sql, connection, MariaDbTransactions.whole(ClaimParameters.of(ref)), ref);
    }

    private static void run(Connection connection, NamedSql sql, ClaimParameters parameters) throws SQLException {
        MySqlLockWait.atMost(1, connection, bounded -> {
            try (PreparedStatement statement = sql.prepare(bounded, parameters)) {
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public boolean settle(Connection connection, Command.Settle settlement) throws SQLException {
        try (PreparedStatement statement = MariaDbSql.SETTLE.prepare(connection, ClaimParameters.of(settlement))) {
            return statement.executeUpdate() == 1;
        }
    }

    @Override
    public TransactionBounds bounds() {
        return TransactionBounds.of(dialect.database(), GROUP_BOUND, GROUP_BOUND);
    }

    @Override
    public Set<ClaimRef> insertSettled(Connection connection, List<SettledClaim> claims) throws SQLException {
        return MariaDbTransactions.insertAbsent(dialect, connection, claims, MySqlTransactions::inserted);
    }

    private static boolean inserted(Connection connection, List<SettledClaim> claims, Set<ClaimRef> fresh)
            throws SQLException {
        try {
            MySqlSql.lock(connection, refs(claims));
            MySqlLockWait.atMost(1, connection, bounded -> {
                try (PreparedStatement statement = PreparedSizes.prepare(
                        bounded,
                        MariaDbTransactions.INSERT_SETTLED,
                        claims.stream().map(SettledClaim::parameters).toList())) {
                    return statement.executeUpdate();
                }
            });
        } catch (SQLException e) {
            if (MySqlSql.isTaken(e)) {
                return false;
            }
            throw e;
        }
        Set<OwnerToken> stored = MySqlSql.tokens(connection, refs(claims));
        for (SettledClaim claim : claims) {
            if (stored.contains(claim.insert().token())) {
                fresh.add(claim.insert().ref());
            }
        }
        return true;
    }

    private static List<ClaimRef> refs(List<SettledClaim> claims) {
        return claims.stream().map(claim -> claim.insert().ref()).toList();
    }
}
