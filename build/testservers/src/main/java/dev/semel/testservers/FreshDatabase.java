// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * An empty database for one test class. It closes its pools and other resources in reverse order. A module's tests extend
 * it by what is particular to them.
 */
public class FreshDatabase implements AutoCloseable {
    /** How long a pool waits for a connection: a busy machine's disk can pause for seconds. */
    public static final Duration LONG_WAIT = Duration.ofSeconds(30);

    /** For tests that stop the database and continue when it answers again. */
    public static final Duration SHORT_WAIT = Duration.ofSeconds(2);

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url;
    private final String user;
    private final String password;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** A new database of this server. */
    protected FreshDatabase(DatabaseServer server) {
        this(
                server.createDatabase(
                        "test_%d_%d".formatted(ProcessHandle.current().pid(), COUNT.incrementAndGet())),
                server.user(),
                server.password());
    }

    /** A SQLite file. */
    protected FreshDatabase(Path file) {
        this("jdbc:sqlite:" + file + "?busy_timeout=10000", "", "");
    }

    private FreshDatabase(String url, String user, String password) {
        this.url = url;
        this.user = user;
        this.password = password;
    }

    public final String url() {
        return url;
    }

    public final String user() {
        return user;
    }

    public final String password() {
        return password;
    }

    /** The URL of this database by way of a network that can become silent. */
    public final String through(SilentNetwork network) {
        return url.replace(":" + network.serverPort() + "/", ":" + network.port() + "/");
    }

    /** A new pool. Its sessions use a distant time zone, which must make no difference. */
    public final DataSource pool(String atUrl, int size, Duration connectionWait) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(atUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(connectionWait.toMillis());
        if (url.startsWith("jdbc:postgresql")) {
            config.setConnectionInitSql("SET TIME ZONE 'Pacific/Kiritimati'");
        } else if (url.startsWith("jdbc:mariadb")) {
            config.setConnectionInitSql("SET time_zone = '+13:00'");
        }
        return closing(new HikariDataSource(config));
    }

    /** Closes this together with the database. */
    public final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /** A connection outside of any pool. The caller closes it. */
    public final Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    public final void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row; "nothing" if there is no row. */
    public final String single(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "nothing";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The number of rows of a table. */
    public final long count(String table) {
        return Long.parseLong(single("SELECT count(*) FROM " + table));
    }

    @Override
    public final void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }
}
