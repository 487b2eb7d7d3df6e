// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.claim.ClaimRef;
import dev.semel.testservers.DatabaseServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A fresh database for one test class, with pools on it that are closed at its end. */
final class TestDatabase implements AutoCloseable {
    // A busy machine's disk stands still for seconds at times; only who asks for it hears of that.
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final Duration HASTY = Duration.ofSeconds(2);
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url;
    private final String user;
    private final String password;
    private final String backdate;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Connection backdating;

    private TestDatabase(String url, String user, String password, String backdate) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.backdate = backdate;
    }

    static TestDatabase postgres(DatabaseServer server) {
        return on(server, "- ? * interval '1 microsecond'");
    }

    static TestDatabase mariadb(DatabaseServer server) {
        return on(server, "- INTERVAL ? MICROSECOND");
    }

    private static TestDatabase on(DatabaseServer server, String backdate) {
        String name = "claims_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
        return new TestDatabase(server.createDatabase(name), server.user(), server.password(), backdate);
    }

    static TestDatabase sqlite(Path file) {
        return new TestDatabase("jdbc:sqlite:" + file + "?busy_timeout=10000", "", "", "- ?");
    }

    String url() {
        return url;
    }

    String user() {
        return user;
    }

    String password() {
        return password;
    }

    /** A pool of its own; sessions run in a far-off time zone, which must not matter. */
    DataSource pool(int size) {
        return pool(url, size, PATIENT);
    }

    /** On PostgreSQL: by the driver's setting that a pooler in transaction mode needs. No statement is prepared by name. */
    DataSource unpreparedPool(int size) {
        return pool(url + "?prepareThreshold=0", size, PATIENT);
    }

    /** For tests that take the database away, and go on when it is back. */
    DataSource hastyPool(int size) {
        return hastyPool(url, size);
    }

    DataSource hastyPool(String atUrl, int size) {
        return pool(atUrl, size, HASTY);
    }

    private DataSource pool(String atUrl, int size, Duration timeout) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(atUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(timeout.toMillis());
        if (!url.startsWith("jdbc:sqlite")) {
            config.setConnectionInitSql(
                    url.startsWith("jdbc:postgresql")
                            ? "SET TIME ZONE 'Pacific/Kiritimati'"
                            : "SET time_zone = '+13:00'");
        }
        return closing(new HikariDataSource(config));
    }

    <T extends AutoCloseable> T closing(T resource) {
        opened.add(resource);
        return resource;
    }

    /** Backdates every moment of one row; over one connection, because the contract does so a thousand times. */
    synchronized void age(ClaimRef ref, Duration by) {
        String sql = "UPDATE idempotency_keys SET created_at = created_at {by}, updated_at = updated_at {by},"
                + " started_at = started_at {by}, lease_until = lease_until {by}, run_until = run_until {by},"
                + " completed_at = completed_at {by}, expires_at = expires_at {by}, due_at = due_at {by} WHERE key_hash = ? AND tenant = ?";
        try (PreparedStatement statement = backdating().prepareStatement(sql.replace("{by}", backdate))) {
            for (int i = 1; i <= 8; i++) {
                statement.setLong(i, ClaimParameters.micros(by));
            }
            statement.setBytes(9, ref.digest().bytes());
            statement.setString(10, ref.tenant());
            statement.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection backdating() throws SQLException {
        if (backdating == null) {
            backdating = closing(connect());
        }
        return backdating;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    void execute(String... statements) {
        try (Connection connection = connect();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }
}
