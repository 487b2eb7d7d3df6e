// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.NamedValues;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/**
 * MariaDB and MySQL: short lock. A writer holds its table's row of {@code semel_positions} until it commits ({@link
 * MariaDbPositionLock}). Under that lock it knows which keys exist, so a row is never written without its key, and rows become
 * visible in the order of their positions. Duplicates are found before that, without a lock.
 */
public sealed class MariaDbJournalDialect implements JournalDialect permits MySqlJournalDialect {
    private final TransactionBounds bounds;

    MariaDbJournalDialect(TransactionBounds bounds) {
        this.bounds = bounds;
    }

    @Override
    public <T> T choose(
            Function<PostgresJournalDialect, T> postgres,
            Function<MariaDbJournalDialect, T> mariaDb,
            Function<SqliteJournalDialect, T> sqlite) {
        return mariaDb.apply(this);
    }

    /** The lock allows one writer at a time. */
    @Override
    public int lanes() {
        return 1;
    }

    /** Runs work in a transaction that reads what others have committed. */
    public void readCommitted(Connection connection, Work work) throws SQLException {
        Transaction.run(connection, bounds, inTransaction -> {
            work.run(inTransaction);
            return inTransaction;
        });
    }

    /** Takes the lock on a table's last position. Waits for it up to two seconds. */
    public MariaDbPositionLock lockSoon(Connection connection, String table) throws SQLException {
        return MariaDbPositionLock.lockSoon(connection, table);
    }

    /** Inserts rows with one statement, in which {@code {rows}} stands for all of them. */
    public static void insert(Connection connection, String sql, String row, List<? extends NamedValues> values)
            throws SQLException {
        NamedSql statement = NamedSql.of(sql.replace("{rows}", repeated(row, ", ", values.size())));
        try (PreparedStatement prepared = statement.prepareAll(connection, values)) {
            prepared.executeUpdate();
        }
    }

    public static String repeated(String text, String separator, int times) {
        return String.join(separator, Collections.nCopies(times, text));
    }

    /** Names are columns of bytes, because text would be compared without trailing blanks. */
    public static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object name(String name) {
        return bytes(name);
    }

    @Override
    public String micros(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + column + ")";
    }

    /** Work inside a transaction. */
    public interface Work {
        void run(Connection connection) throws SQLException;
    }
}
