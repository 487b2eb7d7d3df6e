// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.testservers.MariaDbServer;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;

/** The databases that a test class runs on, one after the other. */
enum Kind {
    POSTGRESQL,
    MARIADB,
    SQLITE;

    /** Creates a new database. Only SQLite uses the file. */
    TestDatabase database(Path file) {
        return switch (this) {
            case POSTGRESQL -> TestDatabase.postgres(PostgresServer.shared());
            case MARIADB -> TestDatabase.mariadb(MariaDbServer.shared());
            case SQLITE -> TestDatabase.sqlite(file);
        };
    }

    /** Creates a store in it with this many connections. It is closed with the database. */
    JdbcClaimStore store(TestDatabase database, Path file, int connections) {
        return database.closing(
                this == SQLITE ? JdbcClaimStore.sqlite(file) : JdbcClaimStore.migrating(database.pool(connections)));
    }
}
