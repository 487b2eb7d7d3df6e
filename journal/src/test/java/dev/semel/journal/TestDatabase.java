// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.SqliteFile;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** A fresh database with the tables in it, and records on it that are closed at its end. */
public final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url;
    private final String user;
    private final String password;
    private final DataSource dataSource;
    private final List<AutoCloseable> opened = new ArrayList<>();

    private TestDatabase(String url, String user, String password, SqliteFile file) {
        this.url = url;
        this.user = user;
        this.password = password;
        this.dataSource = file == null ? pool(url) : closing(file);
        JdbcClaimStore.migrating(dataSource);
        Journal.schema(dataSource).migrate();
    }

    /** Only SQLite uses the folder. */
    public static TestDatabase of(Kind kind, Path folder) {
        return switch (kind) {
            case POSTGRESQL -> on(PostgresServer.shared());
            case MARIADB -> on(MariaDbServer.shared());
            case SQLITE -> {
                Path file = folder.resolve("records-" + COUNT.incrementAndGet() + ".db");
                yield new TestDatabase("jdbc:sqlite:" + file + "?busy_timeout=10000", "", "", SqliteFile.open(file));
            }
        };
    }

    public static TestDatabase on(DatabaseServer server) {
        String name = "records_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
        return new TestDatabase(server.createDatabase(name), server.user(), server.password(), null);
    }

    public String url() {
        return url;
    }

    public DataSource dataSource() {
        return dataSource;
    }

    /** A pool of its own; sessions run in a far-off time zone, which must not matter. */
    public DataSource pool(String atUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(atUrl);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(10_000);
        config.setConnectionInitSql(
                url.startsWith("jdbc:postgresql") ? "SET TIME ZONE 'Pacific/Kiritimati'" : "SET time_zone = '+13:00'");
        return closing(new HikariDataSource(config));
    }

    public Journal records() {
        return records(builder -> builder);
    }

    public Journal records(UnaryOperator<JournalBuilder> settings) {
        return closing(settings.apply(Journal.on(dataSource)).build());
    }

    private <T extends AutoCloseable> T closing(T resource) {
        opened.add(0, resource);
        return resource;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public String single(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "nothing";
        }
    }

    public long count(String table) throws SQLException {
        return Long.parseLong(single("SELECT count(*) FROM " + table));
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }
}
