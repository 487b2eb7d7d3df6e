// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The databases that a test class runs on, one after the other. See {@link EachDatabase}. */
public enum DatabaseKind {
    POSTGRESQL,
    MARIADB,
    MYSQL,
    SQLITE;

    /** Those that the build tests: all but MySQL, and MySQL in its profile; or the property {@code test.databases}. */
    public static List<DatabaseKind> tested() {
        return Arrays.stream(System.getProperty("test.databases", "POSTGRESQL,MARIADB,SQLITE")
                        .split(","))
                .map(name -> valueOf(name.strip().toUpperCase(Locale.ROOT)))
                .toList();
    }

    /** Whether it is MariaDB or MySQL, which have most of their SQL and many of their limits in common. */
    public boolean isMariaDbOrMySql() {
        return this == MARIADB || this == MYSQL;
    }

    /** The server that all tests of this JVM share. Do not close or kill it. */
    public DatabaseServer sharedServer() {
        return switch (this) {
            case POSTGRESQL -> PostgresServer.shared();
            case MARIADB -> MariaDbServer.shared();
            case MYSQL -> MySqlServer.shared();
            case SQLITE -> throw new IllegalStateException("SQLite has no server");
        };
    }

    /** A server that the test closes, and may kill. */
    public DatabaseServer startServer() {
        return switch (this) {
            case POSTGRESQL -> PostgresServer.start();
            case MARIADB -> MariaDbServer.start();
            case MYSQL -> MySqlServer.start();
            case SQLITE -> throw new IllegalStateException("SQLite has no server");
        };
    }
}
