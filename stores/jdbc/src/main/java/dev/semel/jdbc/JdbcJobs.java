// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.internal.BoundedText;
import dev.semel.jdbc.sql.Connections;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.spi.JobLeases;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code semel_jobs}. */
final class JdbcJobs implements JobLeases {
    private static final String RESTART = """
            UPDATE semel_jobs SET holder = :holder, held_until = {until}, started_at = {now}, ended_at = NULL, report = NULL
            WHERE name = :name AND held_until <= {now} AND started_at <= {latest}
            """;

    private static final String FIRST = """
            INSERT INTO semel_jobs (name, holder, held_until, started_at) VALUES (:name, :holder, {until}, {now})
            """;

    private static final String EXTEND = """
            UPDATE semel_jobs SET held_until = {until} WHERE name = :name AND holder = :holder AND ended_at IS NULL
            """;

    private static final String END = """
            UPDATE semel_jobs SET held_until = {now}, ended_at = {now}, report = :report
            WHERE name = :name AND holder = :holder AND ended_at IS NULL
            """;

    private static final String LAST = """
            SELECT holder, report, {started} AS started_micros, {ended} AS ended_micros,
                CASE WHEN ended_at IS NULL AND held_until > {now} THEN 1 ELSE 0 END AS running
            FROM semel_jobs
            WHERE name = :name
            """;

    private final Connections connections;
    private final Dialect dialect;

    JdbcJobs(Connections connections, Dialect dialect) {
        this.connections = connections;
        this.dialect = dialect;
    }

    private NamedSql sql(String text) {
        return NamedSql.of(text.replace("{until}", dialect.ofMicros("(" + dialect.nowInMicros() + " + :lease)"))
                .replace("{latest}", dialect.ofMicros("(" + dialect.nowInMicros() + " - :pause)"))
                .replace("{started}", dialect.microsOf("started_at"))
                .replace("{ended}", dialect.microsOf("ended_at"))
                .replace("{now}", dialect.now()));
    }

    @Override
    public boolean start(String name, String holder, Duration lease, Duration pause) {
        JobLeases.check(name, holder);
        ClaimParameters parameters = parameters(name, holder)
                .put("lease", ClaimParameters.micros(lease))
                .put("pause", ClaimParameters.micros(pause));
        if (change(sql(RESTART), parameters)) {
            return true;
        }
        // The count of an insert that may find a row depends on the driver's settings, so the row is read.
        change(sql(FIRST + dialect.ignoringDuplicates("name")), parameters);
        return last(name).filter(run -> run.holder().equals(holder)).isPresent();
    }

    @Override
    public boolean extend(String name, String holder, Duration lease) {
        return change(sql(EXTEND), parameters(name, holder).put("lease", ClaimParameters.micros(lease)));
    }

    @Override
    public void end(String name, String holder, String report) {
        BoundedText.check("A job's report", report, MAX_REPORT);
        change(sql(END), parameters(name, holder).put("report", report));
    }

    @Override
    public Optional<JobRun> last(String name) {
        return connections.run(connection -> {
            try (PreparedStatement statement =
                            sql(LAST).prepare(connection, ClaimParameters.none().put("name", name));
                    ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                return Optional.of(new JobRun(
                        row.getString("holder"),
                        moment(row.getLong("started_micros")),
                        row.getInt("running") == 1,
                        momentOrNull(row, "ended_micros"),
                        row.getString("report")));
            }
        });
    }

    private boolean change(NamedSql sql, ClaimParameters parameters) {
        return connections.run(connection -> {
            try (PreparedStatement statement = sql.prepare(connection, parameters)) {
                return statement.executeUpdate() == 1;
            }
        });
    }

    private static ClaimParameters parameters(String name, String holder) {
        return ClaimParameters.none().put("name", name).put("holder", holder);
    }

    private static Instant moment(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    private static @Nullable Instant momentOrNull(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : moment(micros);
    }
}
