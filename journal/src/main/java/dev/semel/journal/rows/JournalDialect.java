// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.Database;
import dev.semel.jdbc.sql.NamedSql;
import dev.semel.jdbc.sql.TransactionBounds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The SQL in which databases differ when they read pages. A table's rows are called {@code e} in these statements. How rows are
 * written is in the tables of each package, which {@link #choose} selects.
 */
public sealed interface JournalDialect permits PostgresJournalDialect, MariaDbJournalDialect, SqliteJournalDialect {
    static JournalDialect of(Database database, Duration statementTimeout) {
        TransactionBounds bounds =
                TransactionBounds.of(database, statementTimeout.dividedBy(2), statementTimeout.multipliedBy(2));
        return switch (database) {
            case POSTGRESQL -> new PostgresJournalDialect(statementTimeout, bounds);
            case MARIADB -> new MariaDbJournalDialect(bounds);
            case MYSQL -> new MySqlJournalDialect(bounds);
            case SQLITE -> new SqliteJournalDialect();
        };
    }

    /** The tables of this database. */
    <T> T choose(
            Function<PostgresJournalDialect, T> postgres,
            Function<MariaDbJournalDialect, T> mariaDb,
            Function<SqliteJournalDialect, T> sqlite);

    /** The number of batches of one journal that can be written at the same time without waiting for each other. */
    int lanes();

    /** Called once, before anything is written or read. */
    default void prepare(Connection connection) throws SQLException {
        // The schema is enough.
    }

    /** Replaces the placeholders of a statement: {@code {created}}, {@code {write}}, {@code {after}} and so on. */
    default NamedSql sql(String text) {
        return NamedSql.of(text.replace("{created}", micros("e.created_at"))
                .replace("{write}", write())
                .replace("{after}", after())
                .replace("{up_to}", upTo())
                .replace("{settled}", settled())
                .replace("{order}", order())
                .replace("{reverse}", reverse())
                .replace("{id}", id()));
    }

    /** Binds {@code :owner}: an organization, a site or a tenant. */
    default RowValues owner(String owner) {
        return RowValues.none().put("owner", name(owner));
    }

    /** An organization, a site, a tenant or a provider, as it is bound. */
    default Object name(String name) {
        return name;
    }

    /** A time, in microseconds since 1970. */
    String micros(String column);

    /** The number of the write that wrote a row. */
    default String write() {
        return "0";
    }

    /** Selects rows after {@code :write} and {@code :position}. */
    default String after() {
        return "e.position > :position";
    }

    /** Selects rows up to {@code :last_write} and {@code :last_position}. */
    default String upTo() {
        return "e.position <= :last_position";
    }

    /** The number of bytes of a JSON document. */
    default String documentBytes(String column) {
        return "octet_length(" + column + ")";
    }

    /** A join that measures an expression once for each row; it follows the table's name. See {@link #measured}. */
    default String measuring(String bytes) {
        return "";
    }

    /** The value of an expression that {@link #measuring} has measured. */
    default String measured(String bytes) {
        return "(" + bytes + ")";
    }

    /** A query for the number up to which all writes have ended; null if rows become visible in their order anyway. */
    default @Nullable String horizon() {
        return null;
    }

    /** Selects rows before which no other row can appear any more, by {@code :horizon} if the database has one. */
    default String settled() {
        return "1 = 1";
    }

    default String order() {
        return "e.position";
    }

    /** The order from the last row to the first. */
    default String reverse() {
        return "e.position DESC";
    }

    default String id() {
        return ":id";
    }
}
