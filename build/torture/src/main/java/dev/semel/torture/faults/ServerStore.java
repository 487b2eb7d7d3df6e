// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.faults;

import dev.semel.testservers.DatabaseServer;
import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;

/** PostgreSQL or MariaDB, in a process of its own. */
public final class ServerStore implements TortureStore {
    private static final String DATABASE = "torture";

    private final DatabaseServer server;
    private final boolean postgres;

    private ServerStore(DatabaseServer server, boolean postgres) {
        this.server = server;
        this.postgres = postgres;
        server.createDatabase(DATABASE);
    }

    public static ServerStore postgres() {
        return new ServerStore(PostgresServer.start(Map.of("max_connections", "400")), true);
    }

    public static ServerStore mariaDb() {
        return new ServerStore(
                MariaDbServer.start(Map.of("max_connections", "400", "max_allowed_packet", "64M")), false);
    }

    @Override
    public String name() {
        return postgres ? "postgresql" : "mariadb";
    }

    @Override
    public String url(int port) {
        return postgres
                ? "jdbc:postgresql://127.0.0.1:%d/%s?connectTimeout=2&socketTimeout=8".formatted(port, DATABASE)
                : "jdbc:mariadb://127.0.0.1:%d/%s?connectTimeout=2000&socketTimeout=8000".formatted(port, DATABASE);
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
    public boolean can(FaultKind kind) {
        return true;
    }

    @Override
    public void close() {
        server.close();
    }
}
