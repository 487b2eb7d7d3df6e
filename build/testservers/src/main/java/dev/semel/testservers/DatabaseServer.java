// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.Map;

/** A {@link TestServer} that is reached over JDBC. Every commit that it acknowledges is on disk. */
public abstract sealed class DatabaseServer extends TestServer permits PostgresServer, MariaDbServer, MySqlServer {
    static final String USER = "semel";

    final JdbcAccess access;
    private final String database;

    /**
     * @param subprotocol of its JDBC URLs
     * @param database exists from the start
     * @param timeouts properties of the driver that keep a connection from waiting without limit
     */
    DatabaseServer(ScratchFolder folder, String subprotocol, String database, Map<String, String> timeouts) {
        this(folder, subprotocol, database, timeouts, RandomPassword.create());
    }

    /** With this password. */
    DatabaseServer(
            ScratchFolder folder, String subprotocol, String database, Map<String, String> timeouts, String password) {
        super(folder);
        this.database = database;
        this.access = new JdbcAccess("jdbc:%s://127.0.0.1:%d/".formatted(subprotocol, port), USER, password, timeouts);
    }

    /** A query for the settings that make commits durable. */
    abstract String durabilityQuery();

    /** What that query must return. */
    abstract String durable();

    @Override
    final void begin() {
        super.begin();
        access.requireAnswer(database, durabilityQuery(), durable());
    }

    final void ping() {
        access.requireAnswer(database, "SELECT 1", "1");
    }

    /** The URL of the database that exists from the start, without credentials. */
    public final String jdbcUrl() {
        return access.url(database);
    }

    /** A user with all privileges. */
    public final String user() {
        return access.user();
    }

    /** That user's password. It is random, so other users of the machine cannot connect. */
    public final String password() {
        return access.password();
    }

    /**
     * Creates an empty database.
     *
     * @param name lower-case letters, digits and underscores, starting with a letter
     * @return its URL, without credentials
     */
    public final String createDatabase(String name) {
        return access.createDatabase(database, name);
    }
}
