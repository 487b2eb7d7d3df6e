// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.jdbc.sql.NamedSql;

/**
 * The statements that read pages of one table.
 *
 * @param sized rows after a position, with their sizes; with content only if a row has at most {@code :share} bytes
 * @param whole rows between two positions, with their content
 * @param after finds out whether any row exists after a position, settled or not
 * @param back selects the positions of rows up to a position, last first
 */
public record PageSql(NamedSql sized, NamedSql whole, NamedSql after, NamedSql back) {
    private static final String SIZED = """
            SELECT {columns}, {bytes} AS content_bytes
            FROM {table} AS e {measured}
            WHERE {owner} = :owner AND {after} AND {settled}
            ORDER BY {order} LIMIT :limit
            """;

    private static final String WHOLE = """
            SELECT {columns} FROM {table} AS e
            WHERE {owner} = :owner AND {after} AND {up_to}
            ORDER BY {order}
            """;

    private static final String AFTER = "SELECT 1 FROM {table} AS e WHERE {owner} = :owner AND {after} LIMIT 1";

    private static final String BACK = """
            SELECT {write} AS write_number, e.position FROM {table} AS e
            WHERE {owner} = :owner AND {up_to} AND {settled}
            ORDER BY {reverse} LIMIT :limit
            """;

    /**
     * The statements of a table.
     *
     * @param columns the columns to select; a column of content is written {@code {content name}}
     * @param bytes an expression for the bytes of a row's content
     * @param owner the column of the owner, such as the tenant
     * @param condition a further condition that begins with {@code AND}, or an empty text
     */
    public static PageSql of(
            JournalDialect dialect, String table, String columns, String bytes, String owner, String condition) {
        return new PageSql(
                dialect.sql(filled(SIZED, table, owner, condition)
                        .replace("{columns}", bounded(columns, dialect.measured(bytes), ":share"))
                        .replace("{bytes}", dialect.measured(bytes))
                        .replace("{measured}", dialect.measuring(bytes))),
                dialect.sql(filled(WHOLE, table, owner, condition).replace("{columns}", unbounded(columns))),
                dialect.sql(filled(AFTER, table, owner, condition)),
                dialect.sql(filled(BACK, table, owner, condition)));
    }

    /** The columns, with content only if a row has at most {@code max} bytes; both are SQL expressions. */
    public static String bounded(String columns, String bytes, String max) {
        return columns.replaceAll("\\{content (\\w+)}", "CASE WHEN %s <= %s THEN e.$1 END AS $1".formatted(bytes, max));
    }

    /** The columns, with content of any size. */
    public static String unbounded(String columns) {
        return columns.replaceAll("\\{content (\\w+)}", "e.$1");
    }

    private static String filled(String sql, String table, String owner, String condition) {
        return sql.replace("{owner} = :owner", owner + " = :owner" + condition).replace("{table}", table);
    }
}
