// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import javax.sql.DataSource;

/** The supported databases. */
public enum Database {
    POSTGRESQL,
    MARIADB,
    MYSQL,
    SQLITE;

    /** Detects the database of this data source. */
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
                Kind.REJECTED, "Semel supports PostgreSQL, MariaDB, MySQL and SQLite, but this database is " + product);
    }

    /** Whether the database is reached over a network, which can fail silently. */
    public boolean hasNetwork() {
        return this != SQLITE;
    }
}
