// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.MySqlServer;
import dev.semel.testservers.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.SplittableRandom;

/** PostgreSQL, MariaDB or MySQL, in a process of its own. */
public final class ServerStore implements TortureStore {
    private static final String DATABASE = "torture";

    /**
     * Semel bounds its own transactions, but not those of its users, who have to. Otherwise one of a worker that vanishes keeps
     * its locks.
     */
    private static final String POSTGRES_URL = "jdbc:postgresql://127.0.0.1:%d/%s?connectTimeout=2&socketTimeout=8"
            + "&options=-c%%20idle_in_transaction_session_timeout=8000";

    private static final String MARIADB_URL = "jdbc:mariadb://127.0.0.1:%d/%s?connectTimeout=2000&socketTimeout=8000"
            + "&sessionVariables=wait_timeout=8";

    private static final Duration RECOVERY = Duration.ofSeconds(4);

    private final String name;
    private final DatabaseServer server;
    private final boolean postgres;
    private final Optional<SmallDisk> disk;

    private ServerStore(String name, DatabaseServer server, Optional<SmallDisk> disk) {
        this.name = name;
        this.server = server;
        this.postgres = server instanceof PostgresServer;
        this.disk = disk;
        server.createDatabase(DATABASE);
    }

    /** PostgreSQL with its files on this disk, or in a temporary folder. */
    public static ServerStore postgres(Optional<SmallDisk> disk) {
        Map<String, String> settings = Map.of("max_connections", "400", "max_wal_size", "256MB");
        return new ServerStore(
                "postgresql",
                disk.isPresent() ? PostgresServer.startIn(disk.get().path(), settings) : PostgresServer.start(settings),
                disk);
    }

    /** MariaDB with its files on this disk, or in a temporary folder. */
    public static ServerStore mariaDb(Optional<SmallDisk> disk) {
        Map<String, String> settings = Map.of("max_connections", "400", "max_allowed_packet", "64M");
        return new ServerStore(
                "mariadb",
                disk.isPresent() ? MariaDbServer.startIn(disk.get().path(), settings) : MariaDbServer.start(settings),
                disk);
    }

    /** MySQL with its files on this disk, or in a temporary folder. */
    public static ServerStore mySql(Optional<SmallDisk> disk) {
        Map<String, String> settings = Map.of(
                "max_connections", "400", "max_allowed_packet", "64M", "transaction_isolation", "READ-COMMITTED");
        return new ServerStore(
                "mysql",
                disk.isPresent() ? MySqlServer.startIn(disk.get().path(), settings) : MySqlServer.start(settings),
                disk);
    }

    @Override
    public Optional<SmallDisk> disk() {
        return disk;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String url(int port) {
        return (postgres ? POSTGRES_URL : MARIADB_URL).formatted(port, DATABASE);
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String user() {
        return server.user();
    }

    @Override
    public String password() {
        return server.password();
    }

    @Override
    public Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user());
        properties.setProperty("password", password());
        return DriverManager.getConnection(url(port()), properties);
    }

    @Override
    public void limitLockWait(Statement statement) throws SQLException {
        statement.execute(postgres ? "SET LOCAL lock_timeout = '1s'" : "SET SESSION innodb_lock_wait_timeout = 1");
    }

    @Override
    public Connection connectElsewhere() throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(), user(), password());
    }

    @Override
    public void endSession(SplittableRandom random) throws SQLException {
        String list = postgres
                ? "SELECT pid FROM pg_stat_activity WHERE datname = 'torture' AND pid <> pg_backend_pid()"
                : "SELECT id FROM information_schema.processlist WHERE db = 'torture' AND id <> connection_id()";
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            List<Long> sessions = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(list)) {
                while (rows.next()) {
                    sessions.add(rows.getLong(1));
                }
            }
            if (!sessions.isEmpty()) {
                long session = sessions.get(random.nextInt(sessions.size()));
                statement.execute((postgres ? "SELECT pg_terminate_backend(%d)" : "KILL %d").formatted(session));
            }
        }
    }

    @Override
    public void crash() {
        server.kill();
        server.restart();
    }

    @Override
    public void stall(Duration duration) throws InterruptedException {
        server.suspend();
        try {
            Thread.sleep(duration.toMillis());
        } finally {
            server.resume();
        }
    }

    @Override
    public boolean revive() throws InterruptedException {
        long end = System.nanoTime() + RECOVERY.toNanos();
        while (System.nanoTime() < end) {
            try (Connection connection = connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1");
                return false;
            } catch (SQLException recovering) {
                Thread.sleep(200);
            }
        }
        crash();
        return true;
    }

    @Override
    public boolean can(FaultKind kind) {
        return !kind.isOfService() && kind != FaultKind.PARTITION && (kind != FaultKind.DISK_FULL || disk.isPresent());
    }

    @Override
    public void close() throws IOException {
        server.close();
        if (disk.isPresent()) {
            disk.get().close();
        }
    }
}
