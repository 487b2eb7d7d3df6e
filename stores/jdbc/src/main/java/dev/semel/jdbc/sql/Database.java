// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import javax.sql.DataSource;

/** The databases that Semel speaks to, found out from a connection. */
public enum Database {
    POSTGRESQL,
    MARIADB,
    MYSQL,
    SQLITE;

    /** What this data source leads to. */
    public static Database of(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "A data source must not be null");
        try (Connection connection = dataSource.getConnection()) {
            return named(connection.getMetaData().getDatabaseProductName());
        } catch (SQLException e) {
            throw SqlFailures.translate(e);
        }
    }

    private static Database named(String product) {
        String name = product.toUpperCase(Locale.ROOT);
        for (Database database : values()) {
            if (name.contains(database.name())) {
                return database;
            }
        }
        throw new StoreException(
                Kind.REJECTED,
                "Semel has stores for PostgreSQL, MariaDB, MySQL and SQLite, but this database calls itself "
                        + product);
    }

    /** Whether there is a network in between that can fall silent. */
    public boolean hasNetwork() {
        return this != SQLITE;
    }
}
