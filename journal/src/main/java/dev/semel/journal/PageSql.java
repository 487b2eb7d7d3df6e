// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.jdbc.sql.NamedSql;

/**
 * The statements that read pages of one table.
 *
 * @param sized rows after a position, with their sizes; content only of rows that have at most {@code :share} bytes
 * @param whole rows between two positions, with their content
 * @param after whether there is anything after a position, settled or not
 */
record PageSql(NamedSql sized, NamedSql whole, NamedSql after) {
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

    /**
     * The statements of a table.
     *
     * @param columns what is selected, with each column of content as {@code {content name}}
     * @param bytes an expression for the bytes of a row's content
     * @param owner the column of whom a page is for
     * @param narrowed a further condition, or nothing
     */
    static PageSql of(Reads reads, String table, String columns, String bytes, String owner, String narrowed) {
        Reads.Words words = reads.words();
        return new PageSql(
                reads.sql(filled(SIZED, table, owner, narrowed)
                        .replace("{columns}", bounded(columns, words.measured(bytes), ":share"))
                        .replace("{bytes}", words.measured(bytes))
                        .replace("{measured}", words.measuring(bytes))),
                reads.sql(filled(WHOLE, table, owner, narrowed).replace("{columns}", unbounded(columns))),
                reads.sql(filled(AFTER, table, owner, narrowed)));
    }

    /** The same columns, with their content if the row has at most so many bytes; both are expressions. */
    static String bounded(String columns, String bytes, String most) {
        return columns.replaceAll(
                "\\{content (\\w+)}", "CASE WHEN %s <= %s THEN e.$1 END AS $1".formatted(bytes, most));
    }

    /** The same columns, with their content whatever its size. */
    static String unbounded(String columns) {
        return columns.replaceAll("\\{content (\\w+)}", "e.$1");
    }

    private static String filled(String sql, String table, String owner, String narrowed) {
        return sql.replace("{owner} = :owner", owner + " = :owner" + narrowed).replace("{table}", table);
    }
}
