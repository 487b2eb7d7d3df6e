// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.jdbc.Schema;
import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.MySqlServer;
import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.RoundTrips;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A real, durable server with the shipped schema. Its pools are closed with it. */
final class BenchDatabase implements AutoCloseable {
    /** What docs/databases.md recommends for MariaDB, and what Semel's server uses there. MySQL is measured in the same way. */
    private static final String PREPARED = "?useServerPrepStmts=true&cachePrepStmts=true";

    private static final int FILLED_MEGABYTES = 1_500;

    private final DatabaseServer server;
    private final String options;
    private final String durability;
    private final HikariDataSource own;
    private final List<AutoCloseable> opened = new ArrayList<>();

    /** @param options of the pools, for the JDBC URL, which has others */
    private BenchDatabase(DatabaseServer server, String options, String durability) {
        this.server = server;
        this.options = options;
        this.durability = durability;
        this.own = pool(1);
        Schema.of(own).migrate();
    }

    static BenchDatabase postgres() {
        // Settings of an operator for a small machine. Durability is the server's default and is printed.
        BenchDatabase database = new BenchDatabase(
                PostgresServer.start(Map.of(
                        "shared_buffers",
                        "512MB",
                        "min_wal_size",
                        "2GB",
                        "max_wal_size",
                        "4GB",
                        "max_connections",
                        "400")),
                "",
                "SELECT 'fsync ' || current_setting('fsync') || ', synchronous_commit '"
                        + " || current_setting('synchronous_commit') || ', PostgreSQL '"
                        + " || current_setting('server_version')");
        database.recycleLog();
        return database;
    }

    /**
     * Fills the log and makes a checkpoint, after which the server uses the files of its log again. It is then like one that has
     * run for a while. A new server creates a file for every 16 MiB, and all commits wait for that for 15 to 65 ms.
     */
    private void recycleLog() {
        try {
            number("SELECT count(pg_logical_emit_message(false, 'fill', repeat('x', 1000000)))"
                    + " FROM generate_series(1, " + FILLED_MEGABYTES + ")");
            execute("CHECKPOINT");
        } catch (SQLException e) {
            throw new IllegalStateException("The log could not be filled", e);
        }
    }

    static BenchDatabase mariadb() {
        return new BenchDatabase(
                MariaDbServer.start(Map.of("innodb_buffer_pool_size", "512M")),
                PREPARED,
                "SELECT concat('innodb_flush_log_at_trx_commit ', @@innodb_flush_log_at_trx_commit, ', MariaDB ',"
                        + " version())");
    }

    static BenchDatabase mysql() {
        return new BenchDatabase(
                MySqlServer.start(Map.of("innodb_buffer_pool_size", "512M")),
                PREPARED,
                "SELECT concat('innodb_flush_log_at_trx_commit ', @@innodb_flush_log_at_trx_commit, ', sync_binlog ',"
                        + " @@sync_binlog, ', MySQL ', version())");
    }

    HikariDataSource pool(int size) {
        return pool(size, server.jdbcUrl());
    }

    /** A network to this database that counts round trips. */
    RoundTrips network() throws IOException {
        return closing(new RoundTrips(server));
    }

    /** A pool whose connections go through this network. */
    HikariDataSource poolThrough(RoundTrips network, int size) {
        return pool(size, server.jdbcUrl().replace(":" + server.port() + "/", ":" + network.port() + "/"));
    }

    private HikariDataSource pool(int size, String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url + options);
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(30_000);
        HikariDataSource pool = new HikariDataSource(config);
        opened.add(pool);
        return pool;
    }

    JdbcClaimStore store(int connections) {
        return JdbcClaimStore.on(pool(connections));
    }

    String url() {
        return server.jdbcUrl();
    }

    /** Creates another, empty database and returns its URL. */
    String createDatabase(String name) {
        return server.createDatabase(name);
    }

    /** As many threads, which end with the database. */
    ExecutorService threads(int count) {
        ExecutorService threads = Executors.newFixedThreadPool(count);
        opened.add(threads::shutdownNow);
        return threads;
    }

    /** Closes this with the database. */
    <T extends AutoCloseable> T closing(T one) {
        opened.add(one);
        return one;
    }

    /** The CPU time of this process and of the database. */
    Cpu cpu() {
        return Cpu.OWN.with(Cpu.DATABASE, server.pid());
    }

    /** The CPU time of this process, of Semel's server and of the database. */
    Cpu cpu(JavaServer served) {
        return Cpu.OWN.with(Cpu.SERVER, served.pid()).with(Cpu.DATABASE, server.pid());
    }

    long pid() {
        return server.pid();
    }

    String user() {
        return server.user();
    }

    String password() {
        return server.password();
    }

    /** The settings that decide whether commits are durable. */
    String durability() throws SQLException {
        try (Connection connection = own.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(durability)) {
            rows.next();
            return rows.getString(1);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = own.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** PostgreSQL's backends report their statistics late, and when they end. This replaces all connections of the pools. */
    void settleStatistics() throws SQLException {
        long now = number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
        for (AutoCloseable one : opened) {
            if (one instanceof HikariDataSource pool && pool != own) {
                pool.getHikariPoolMXBean().softEvictConnections();
            }
        }
        String earlier = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND pid <> pg_backend_pid() AND extract(epoch FROM backend_start) * 1000000 <= " + now;
        while (number(earlier) > 0) {
            Thread.onSpinWait();
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = own.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws Exception {
        // What was opened last may use what was opened before it.
        Collections.reverse(opened);
        for (AutoCloseable one : opened) {
            one.close();
        }
        server.close();
    }
}
