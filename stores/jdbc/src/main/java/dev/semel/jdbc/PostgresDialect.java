// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.jdbc.sql.ArraySql;
import dev.semel.jdbc.sql.Database;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * PostgreSQL: conditional insert and conditional update of whole arrays, each with RETURNING. The clock is {@code
 * statement_timestamp()}; {@code now()} would return the start of the transaction.
 */
final class PostgresDialect implements Dialect {
    /** An arbitrary number that other users of advisory locks are unlikely to use. */
    private static final long MIGRATION_LOCK = 0x73656d656cL;

    @Override
    public Database database() {
        return Database.POSTGRESQL;
    }

    @Override
    public String folder() {
        return "postgresql";
    }

    @Override
    public boolean hasNetwork() {
        return true;
    }

    @Override
    public int largestResult(Connection connection) {
        return StoredResult.MAX_BYTES;
    }

    /**
     * Applies the batch in one round trip. The statements are sent together and form one implicit transaction, which
     * commits at the end. Refused commands, if any, are read in a second round trip.
     */
    @Override
    public void apply(Connection connection, CommandBatch batch, Duration statementTimeout) throws SQLException {
        if (batch.size() == 1 && batch.lockWait() == null) {
            applyOne(connection, batch, statementTimeout);
        } else {
            applyMany(connection, batch, statementTimeout);
        }
        if (!batch.open().isEmpty()) {
            Map<ClaimRef, Snapshot> found = new HashMap<>();
            read(connection, batch.open(), batch.largestResult(), found);
            found.forEach(batch::found);
        }
    }

    private static void applyOne(Connection connection, CommandBatch batch, Duration statementTimeout)
            throws SQLException {
        Command command = batch.sorted().get(0);
        if (connection.getAutoCommit()) {
            // The server bounds the wait for a lock, and the socket everything else. A query timeout would start a
            // thread.
            Duration wait = half(statementTimeout);
            try (PreparedStatement statement =
                    sqlOf(command).prepareOneWaiting(connection, wait, ClaimParameters.of(command))) {
                ClaimRows.applied(statement, batch);
            }
            return;
        }
        try (PreparedStatement statement = sqlOf(command).prepareOne(connection, ClaimParameters.of(command))) {
            statement.setQueryTimeout((int) Math.max(1, statementTimeout.toSeconds()));
            ClaimRows.applied(statement, batch);
        }
    }

    /** {@link Duration#dividedBy} computes with decimal numbers, which takes as long as a part of the statement. */
    private static Duration half(Duration bound) {
        return Duration.ofNanos(bound.toNanos() / 2);
    }

    private static ArraySql sqlOf(Command command) {
        if (command instanceof Command.Insert) {
            return PostgresSql.INSERT;
        }
        if (command instanceof Command.TakeOver) {
            return PostgresSql.TAKE_OVER;
        }
        if (command instanceof Command.GiveBack) {
            return PostgresSql.GIVE_BACK;
        }
        return command instanceof Command.Renew ? PostgresSql.RENEW : PostgresSql.SETTLE;
    }

    private static void applyMany(Connection connection, CommandBatch batch, Duration statementTimeout)
            throws SQLException {
        List<ArraySql> statements = new ArrayList<>();
        List<List<ClaimParameters>> rows = new ArrayList<>();
        for (ArraySql sql : List.of(
                PostgresSql.INSERT,
                PostgresSql.TAKE_OVER,
                PostgresSql.RENEW,
                PostgresSql.SETTLE,
                PostgresSql.GIVE_BACK)) {
            List<ClaimParameters> own = batch.sorted().stream()
                    .filter(command -> sqlOf(command) == sql)
                    .map(ClaimParameters::of)
                    .toList();
            if (!own.isEmpty()) {
                statements.add(sql);
                rows.add(own);
            }
        }
        List<ClaimParameters> updated = batch.sorted().stream()
                .filter(command -> !(command instanceof Command.Insert))
                .map(ClaimParameters::of)
                .toList();
        int kinds = statements.size() - (statements.contains(PostgresSql.INSERT) ? 1 : 0);
        if (kinds > 1) {
            statements.add(statements.size() - kinds, PostgresSql.LOCK);
            rows.add(rows.size() - kinds, updated);
        }
        Duration wait = batch.lockWait() == null ? half(statementTimeout) : batch.lockWait();
        String settings = PostgresSql.SETTINGS.formatted(
                Math.max(1, wait.toMillis()), statementTimeout.toMillis(), statementTimeout.toMillis() * 5);
        try (PreparedStatement statement = ArraySql.prepareAll(connection, settings, statements, rows)) {
            statement.execute();
            for (int i = 0; i < statements.size(); i++) {
                statement.getMoreResults();
                try (ResultSet changed = statement.getResultSet()) {
                    if (statements.get(i) != PostgresSql.LOCK) {
                        ClaimRows.applied(changed, batch);
                    }
                }
            }
        }
    }

    @Override
    public void read(Connection connection, Collection<ClaimRef> refs, int largest, Map<ClaimRef, Snapshot> seen)
            throws SQLException {
        List<ClaimParameters> rows = refs.stream()
                .map(ref -> ClaimParameters.of(ref).put("largest", (long) largest))
                .toList();
        try (PreparedStatement statement = PostgresSql.READ.prepare(connection, rows)) {
            ClaimRows.collect(statement, seen);
        }
    }

    @Override
    public int write(Connection connection, Command command) throws SQLException {
        try (PreparedStatement statement = sqlOf(command).prepareOne(connection, ClaimParameters.of(command));
                ResultSet changed = statement.executeQuery()) {
            return changed.next() ? 1 : 0;
        }
    }

    @Override
    public int writePointer(Connection connection, boolean isNew, ClaimParameters parameters) throws SQLException {
        ArraySql sql = isNew ? PostgresSql.INSERT_POINTER : PostgresSql.POINT;
        try (PreparedStatement statement = sql.prepareOne(connection, parameters)) {
            return statement.executeUpdate();
        }
    }

    @Override
    public void noteConflict(Connection connection, ClaimParameters parameters) throws SQLException {
        try (PreparedStatement statement = PostgresSql.NOTE_CONFLICT.prepare(connection, parameters)) {
            statement.executeUpdate();
        }
    }

    @Override
    public SweepReport sweep(Connection connection, int limit, Duration statementTimeout) throws SQLException {
        return PostgresSweep.run(connection, limit);
    }

    @Override
    public String now() {
        return "statement_timestamp()";
    }

    @Override
    public String expires(String table) {
        return PostgresSql.expires(table);
    }

    @Override
    public String statusParameter(String name) {
        return "CAST(:" + name + " AS semel_status)";
    }

    @Override
    public String nowInMicros() {
        return "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint";
    }

    @Override
    public String idParameter(String name) {
        return "CAST(encode(:" + name + ", 'hex') AS uuid)";
    }

    @Override
    public String microsOf(String column) {
        return "(extract(epoch FROM " + column + ") * 1000000)::bigint";
    }

    @Override
    public String ofMicros(String parameter) {
        return "timestamptz 'epoch' + CAST(" + parameter + " AS bigint) * interval '1 microsecond'";
    }

    @Override
    public void migrating(Connection connection, MigrationSteps steps) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK + ")");
            steps.run();
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }
}
