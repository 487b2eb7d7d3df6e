// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.ListSql;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.Transaction;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * MariaDB: conditional inserts and updates. Inserts and settlements are one statement each ({@link MariaDbSteps}). Everything
 * else is a transaction: it runs conditional updates, and reads the results again, because updates have no RETURNING. Times are
 * UTC, independent of the session's time zone. {@link MySqlDialect} differs in how it runs a batch.
 *
 * <p>A key that is taken is handled by a no-op ON DUPLICATE KEY UPDATE. IGNORE would also hide truncated data.
 */
class MariaDbDialect implements Dialect {
    private static final int DUPLICATE_KEY = 1062;
    private static final long MIGRATION_WAIT_SECONDS = 10;

    /** Duplicate column, duplicate key name, nothing to drop, trigger exists. */
    private static final Set<Integer> ALREADY_APPLIED = Set.of(1060, 1061, 1091, 1359);

    @Override
    public Database database() {
        return Database.MARIADB;
    }

    @Override
    public String folder() {
        return "mariadb";
    }

    @Override
    public boolean hasNetwork() {
        return true;
    }

    /** Each kind of command is a statement and a commit of its own. */
    @Override
    public boolean commitsInsertsApart() {
        return true;
    }

    /**
     * A statement that is too large makes the server close the connection. That looks like a network failure and would
     * be retried without limit. Escaping can double the size, and the rest of the statement needs some bytes.
     */
    @Override
    public int largestResult(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT @@max_allowed_packet")) {
            long packet = rows.next() ? rows.getLong(1) : 0;
            return (int) Math.max(0, Math.min(StoredResult.MAX_BYTES, (packet - 65_536) / 2));
        }
    }

    @Override
    public void apply(Connection connection, CommandBatch batch, Duration statementTimeout) throws SQLException {
        new MariaDbSteps(this, connection, batch, statementTimeout).run();
        if (batch.sorted().stream().allMatch(MariaDbSteps::runs)) {
            readInto(connection, batch.open(), batch);
            return;
        }
        // A batch never waits while it holds locks, so batches with common rows cannot deadlock.
        Duration lockWait = batch.lockWait() == null ? statementTimeout.dividedBy(2) : Duration.ZERO;
        Transaction.run(connection, bounds(lockWait, statementTimeout), inTransaction -> {
            update(inTransaction, MariaDbSql.TAKE_OVER, batch.only(Command.TakeOver.class));
            update(inTransaction, MariaDbSql.RENEW, MariaDbSql.RENEW_MANY, batch.only(Command.Renew.class));
            update(inTransaction, MariaDbSql.GIVE_BACK, batch.only(Command.GiveBack.class));
            readInto(inTransaction, batch.open(), batch);
            return batch;
        });
    }

    static void update(Connection connection, NamedSql one, ListSql many, List<? extends Command> commands)
            throws SQLException {
        if (commands.size() < 2) {
            update(connection, one, commands);
            return;
        }
        List<ClaimParameters> rows = commands.stream().map(ClaimParameters::of).toList();
        try (PreparedStatement statement = many.prepareAll(connection, rows)) {
            statement.executeUpdate();
        }
    }

    /** Returns how many rows each command changed, as far as the driver reports it. */
    static int[] update(Connection connection, NamedSql sql, List<? extends Command> commands) throws SQLException {
        if (commands.isEmpty()) {
            return new int[0];
        }
        try (PreparedStatement statement = sql.prepare(connection)) {
            for (Command command : commands) {
                sql.bind(statement, ClaimParameters.of(command)).addBatch();
            }
            return statement.executeBatch();
        }
    }

    /** Reads the rows of these claims and reports them to the batch. */
    void readInto(Connection connection, List<ClaimRef> refs, CommandBatch batch) throws SQLException {
        Map<ClaimRef, Snapshot> found = new HashMap<>();
        read(connection, refs, batch.largestResult(), found);
        found.forEach(batch::found);
    }

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        if (refs.isEmpty()) {
            return;
        }
        List<String> tenants = refs.stream().map(ClaimRef::tenant).distinct().toList();
        List<ClaimParameters> rows = refs.stream().map(ClaimParameters::of).toList();
        rows.get(0).put("largest", largest);
        for (int i = 0; i < tenants.size(); i++) {
            rows.get(i).put("one_of", tenants.get(i));
        }
        ListSql sql = tenants.size() == 1
                ? MariaDbSql.READ_OF_ONE_TENANT
                : MariaDbSql.READ.followedBy(" AND tenant IN (%s)".formatted(repeated(":one_of", tenants.size())));
        Map<ClaimRef, Snapshot> found = new LinkedHashMap<>();
        try (PreparedStatement statement = PreparedSizes.prepare(connection, sql, rows)) {
            ClaimRows.collect(statement, found);
        }
        // Tenants are compared exactly here, because the collation ignores trailing spaces.
        found.keySet().retainAll(refs);
        seen.putAll(found);
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        NamedSql sql = command instanceof Command.Insert ? MariaDbSql.INSERT_ONE : MariaDbSql.TAKE_OVER;
        return written(connection, sql, ClaimParameters.of(command));
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, ClaimParameters parameters) throws SQLException {
        int written = written(connection, isNew ? MariaDbSql.INSERT_POINTER : MariaDbSql.POINT, parameters);
        return written == 0 ? 0 : remembered(connection, MariaDbSql.REMEMBER_POINTER, parameters);
    }

    /** The row of the pointer is written, and so locked. Returns the number of pointers. */
    static int remembered(Connection connection, NamedSql sql, ClaimParameters pointer) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, pointer)) {
            statement.executeUpdate();
            return 1;
        }
    }

    @Override
    public void forgetPointers(Connection connection, List<ClaimParameters> rows) throws SQLException {
        MariaDbSweep.forgetPointers(connection, rows);
    }

    /** Uses plain inserts, because the update count of ON DUPLICATE KEY UPDATE depends on the driver's settings. */
    static int written(Connection connection, NamedSql sql, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = sql.prepare(connection, parameters)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            if (e.getErrorCode() == DUPLICATE_KEY) {
                return 0;
            }
            throw e;
        }
    }

    @Override
    public void noteConflict(Connection connection, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = MariaDbSql.NOTE_CONFLICT.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }

    @Override
    public SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        return inTransaction(connection, inTransaction -> MariaDbSweep.run(inTransaction, limit), statementTimeout);
    }

    private static String repeated(String text, int times) {
        return String.join(", ", Collections.nCopies(times, text));
    }

    /** The collation treats 'a' and 'a ' as equal; comparing the lengths as well excludes that. */
    @Override
    public String sameText(String column, String text) {
        return "%1$s = %2$s AND octet_length(%1$s) = octet_length(%2$s)".formatted(column, text);
    }

    @Override
    public String pointers() {
        return MariaDbSql.POINTERS;
    }

    @Override
    public String now() {
        return "UTC_TIMESTAMP(6)";
    }

    @Override
    public String expires(String table) {
        return MariaDbSql.expires(table + ".");
    }

    @Override
    public String nowInMicros() {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
    }

    @Override
    public boolean wasAlreadyApplied(SQLException failure) {
        return ALREADY_APPLIED.contains(failure.getErrorCode());
    }

    @Override
    public String addingTo(String table, String key, String column) {
        return "ON DUPLICATE KEY UPDATE %1$s = %1$s + VALUES(%1$s)".formatted(column);
    }

    @Override
    public String ignoringDuplicates(String key) {
        return "ON DUPLICATE KEY UPDATE " + key + " = " + key;
    }

    @Override
    public String microsOf(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', " + column + ")";
    }

    @Override
    public String ofMicros(String parameter) {
        return "TIMESTAMPADD(MICROSECOND, " + parameter + ", '1970-01-01')";
    }

    /** DDL commits implicitly here, so the statements of each file are repeatable instead. */
    @Override
    public void migrating(Connection connection, MigrationSteps steps) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet lock = statement.executeQuery("SELECT GET_LOCK('semel_schema', 60)")) {
                if (!lock.next() || lock.getInt(1) != 1) {
                    throw new SQLException(
                            "Another process has held the migration lock 'semel_schema' for more than a minute");
                }
            }
            try {
                bounded(statement, steps);
            } finally {
                statement.execute("DO RELEASE_LOCK('semel_schema')");
            }
        }
    }

    /**
     * While a migration waits for a table, all users of the table wait behind it. The server's default limit is a day,
     * so a shorter one is set.
     */
    private static void bounded(Statement statement, MigrationSteps steps) throws SQLException {
        long before;
        try (ResultSet bound = statement.executeQuery("SELECT @@SESSION.lock_wait_timeout")) {
            before = bound.next() ? bound.getLong(1) : MIGRATION_WAIT_SECONDS;
        }
        statement.execute("SET SESSION lock_wait_timeout = " + Math.min(before, MIGRATION_WAIT_SECONDS));
        try {
            steps.run();
        } finally {
            statement.execute("SET SESSION lock_wait_timeout = " + before);
        }
    }
}
