// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.ArraySql;
import dev.semel.jdbc.sql.NamedValues;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL: conditional insert of arrays, one statement and one round trip for each batch.
 *
 * <p>Pages never skip a row that commits late. Rows are ordered by a number from a sequence. The number is drawn before the
 * commit, so a lower number can become visible after a higher one. A reader therefore stops at a horizon below all open writes:
 *
 * <ol>
 *   <li>A writer ({@code semel_write()}) reads the last number that was drawn and takes a shared advisory lock that holds that
 *       number. Only then it draws its own number, which is greater. The lock lasts as long as the transaction, prepared
 *       transactions included. PostgreSQL makes a commit visible before it releases the locks.
 *   <li>A reader ({@code semel_settled()}) reads the last number that was drawn, and after that the locks. The horizon is the
 *       smallest of all these numbers.
 *   <li>In a second statement, which has a later snapshot, the reader reads the rows up to the horizon. A page that needs
 *       further statements ({@link PageReader}) keeps the horizon. The snapshots of those statements are later still.
 * </ol>
 *
 * <p>Proof: suppose a write below the horizon is missing from that snapshot and commits later. Its number was drawn before the
 * reader read the last number, so its lock was taken before the reader read the locks. If the lock was still held then, the
 * horizon is below the number of the write. If the lock was released, the commit was visible before the snapshot. Both
 * contradict the assumption. The proof depends on the order of the reader's three steps: no step may share a statement with a
 * later one.
 *
 * <p>Transactions that write no rows of the journal hold no such lock, and locks of other databases are ignored, so neither
 * delays a page. A standby cannot see the locks: its horizon is 0, and its pages are empty and unsettled.
 */
public final class PostgresJournalDialect implements JournalDialect {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresJournalDialect.class);

    private static final String GREATEST_WRITE = """
            SELECT coalesce(max(w.last), 0) FROM
                (SELECT max(write) AS last FROM events UNION ALL SELECT max(write) FROM calls
                 UNION ALL SELECT max(write) FROM webhook_inbox) AS w
            """;

    /**
     * Settings that end with the transaction. Nested loops and merge joins are off because two small lists are to be joined by
     * hashing; a nested loop compares every pair.
     */
    private static final String SETTINGS = """
            SELECT set_config('lock_timeout', '%d', true) IS NOT NULL,
                   set_config('statement_timeout', '%d', true) IS NOT NULL,
                   set_config('plan_cache_mode', 'force_generic_plan', true) IS NOT NULL,
                   set_config('enable_nestloop', 'off', true) IS NOT NULL,
                   set_config('enable_mergejoin', 'off', true) IS NOT NULL
            """;

    private final String settings;
    private final TransactionBounds bounds;

    PostgresJournalDialect(Duration statementTimeout, TransactionBounds bounds) {
        this.bounds = bounds;
        this.settings = SETTINGS.formatted(statementTimeout.toMillis() / 2, statementTimeout.toMillis());
    }

    @Override
    public <T> T choose(
            Function<PostgresJournalDialect, T> postgres,
            Function<MariaDbJournalDialect, T> mariaDb,
            Function<SqliteJournalDialect, T> sqlite) {
        return postgres.apply(this);
    }

    @Override
    public int lanes() {
        return 2;
    }

    /** After a dump was restored into another cluster, perhaps without sequences, new numbers must be above the restored ones. */
    @Override
    public void prepare(Connection connection) throws SQLException {
        String cluster;
        try {
            cluster = single(connection, "SELECT system_identifier::text FROM pg_control_system()");
        } catch (SQLException e) {
            LOG.debug(
                    "This role may not read the cluster's identifier, so a restored dump is not detected: SQLState {}",
                    e.getSQLState());
            return;
        }
        if (cluster.equals(single(connection, "SELECT coalesce(cluster, '') FROM semel_writes WHERE id = 1"))) {
            return;
        }
        Transaction.run(connection, bounds, inTransaction -> {
            try (Statement statement = inTransaction.createStatement()) {
                statement.execute("LOCK TABLE events, calls, webhook_inbox IN SHARE MODE");
                // The lock excludes writers, so the last number is the settled one. Few roles may read or set the
                // sequence.
                if (single(inTransaction, "SELECT (%s) > semel_settled()".formatted(GREATEST_WRITE))
                        .equals("t")) {
                    statement.execute(
                            "SELECT setval('semel_write_numbers', greatest((SELECT last_value FROM semel_write_numbers), (%s)))"
                                    .formatted(GREATEST_WRITE));
                }
                return statement.executeUpdate(
                        "UPDATE semel_writes SET cluster = '%s' WHERE id = 1".formatted(cluster));
            }
        });
    }

    private static String single(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }

    /**
     * Executes an insert that returns rows. The settings and the insert are sent together: one round trip and one implicit
     * transaction.
     */
    public void insert(Connection connection, ArraySql sql, List<? extends NamedValues> values, ReturnedRow returned)
            throws SQLException {
        try (PreparedStatement statement = ArraySql.prepareAll(connection, settings, List.of(sql), List.of(values))) {
            statement.execute();
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    returned.accept(rows);
                }
            }
        }
    }

    @Override
    public String micros(String column) {
        return "(extract(epoch FROM " + column + ") * 1000000)::bigint";
    }

    @Override
    public String write() {
        return "e.write";
    }

    @Override
    public String after() {
        return "(e.write, e.position) > (:write, :position)";
    }

    @Override
    public String upTo() {
        return "(e.write, e.position) <= (:last_write, :last_position)";
    }

    /** The bytes that are sent; the stored form may be compressed. */
    @Override
    public String documentBytes(String column) {
        return "octet_length(" + column + "::text)";
    }

    /** OFFSET makes sure that a document is measured once for each row, because it has to be decompressed for that. */
    @Override
    public String measuring(String bytes) {
        return "CROSS JOIN LATERAL (SELECT " + bytes + " AS bytes OFFSET 0) AS measured";
    }

    @Override
    public String measured(String bytes) {
        return "measured.bytes";
    }

    @Override
    public String horizon() {
        return "SELECT semel_settled()";
    }

    @Override
    public String settled() {
        return "e.write <= :horizon";
    }

    @Override
    public String order() {
        return "e.write, e.position";
    }

    @Override
    public String reverse() {
        return "e.write DESC, e.position DESC";
    }

    @Override
    public String id() {
        return "CAST(:id AS uuid)";
    }

    /** Receives a row that an insert returned. */
    public interface ReturnedRow {
        void accept(ResultSet row) throws SQLException;
    }
}
