// SPDX-License-Identifier: Apache-2.0
/**
 * Claim stores for PostgreSQL, MariaDB/MySQL and SQLite.
 *
 * <p>The package {@code sql} is not API. Only Semel's own modules can use it. The packages with the schema files are open, so
 * that migration tools can read them.
 */
@SuppressWarnings({
    "module", // The module dev.semel.journal is built after this one.
    "opens" // The packages with the schema files hold no classes.
})
module dev.semel.jdbc {
    requires static transitive org.jspecify;
    requires transitive dev.semel;
    requires transitive java.sql;
    requires org.slf4j;

    exports dev.semel.jdbc;
    exports dev.semel.jdbc.sql to
            dev.semel.journal;

    opens dev.semel.jdbc.mariadb;
    opens dev.semel.jdbc.postgresql;
    opens dev.semel.jdbc.sqlite;
}
