// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.spi.Command;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MySQL: conditional inserts and updates, with the statements of MariaDB. Inserts have no RETURNING, so a batch is one
 * transaction: it reads without locks, inserts missing rows, runs conditional updates, and reads the results.
 *
 * <p>The shortest wait for a lock is one second. So a batch with a shorter limit takes its locks with NOWAIT, in the order of the
 * digests, before it writes. Only the insert of a row that another transaction inserts at the same moment can wait for a second.
 */
final class MySqlDialect extends MariaDbDialect {
    @Override
    public Database database() {
        return Database.MYSQL;
    }

    @Override
    public void requireConsistentReads(Connection connection) throws SQLException {
        GroupConsistency.require(connection);
    }

    @Override
    public void apply(Connection connection, CommandBatch batch, Duration statementTimeout) throws SQLException {
        Duration wait = batch.lockWait();
        Duration lockWait = wait == null ? statementTimeout.dividedBy(2) : Duration.ZERO;
        Transaction.run(connection, bounds(lockWait, statementTimeout), inTransaction -> {
            insert(inTransaction, batch, wait);
            List<ClaimRef> updated = batch.sorted().stream()
                    .filter(command -> !(command instanceof Command.Insert))
                    .map(Command::ref)
                    .toList();
            if (wait != null && !updated.isEmpty()) {
                MySqlSql.lock(inTransaction, updated, wait);
            }
            settle(inTransaction, batch);
            update(inTransaction, MariaDbSql.TAKE_OVER, batch.only(Command.TakeOver.class));
            update(inTransaction, MariaDbSql.RENEW, batch.only(Command.Renew.class));
            update(inTransaction, MariaDbSql.GIVE_BACK, batch.only(Command.GiveBack.class));
            readInto(inTransaction, batch.open(), batch);
            return batch;
        });
    }

    private void insert(Connection connection, CommandBatch batch, @Nullable Duration wait) throws SQLException {
        List<Command.Insert> inserts = batch.only(Command.Insert.class);
        readInto(connection, inserts.stream().map(Command.Insert::ref).toList(), batch);
        Set<ClaimRef> open = new HashSet<>(batch.open());
        List<Command.Insert> absent =
                inserts.stream().filter(insert -> open.contains(insert.ref())).toList();
        if (absent.isEmpty()) {
            return;
        }
        if (wait != null) {
            MySqlSql.lock(connection, absent.stream().map(Command.Insert::ref).toList(), wait);
        }
        List<ClaimParameters> rows = absent.stream().map(ClaimParameters::of).toList();
        for (List<ClaimParameters> part : PreparedSizes.parts(connection, rows)) {
            try (PreparedStatement statement = PreparedSizes.prepare(connection, MariaDbSql.INSERT_MANY, part)) {
                statement.executeUpdate();
            }
        }
    }

    /**
     * Runs one statement for each claim, which the driver sends together. In a list of all values the server would have to guess
     * the types of its columns, and with prepared statements it guesses text.
     */
    private static void settle(Connection connection, CommandBatch batch) throws SQLException {
        List<Command.Settle> settlements = batch.only(Command.Settle.class);
        int[] counts = update(connection, MariaDbSql.SETTLE, settlements);
        for (int i = 0; i < settlements.size(); i++) {
            if (counts[i] > 0) {
                batch.changed(settlements.get(i));
            }
        }
    }
}
