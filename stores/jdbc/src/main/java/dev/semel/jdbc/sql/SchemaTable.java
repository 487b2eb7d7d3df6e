// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What a schema file brings of one table. It is there if a query for these columns works and the unique keys exist.
 *
 * @param columns those that the file creates
 * @param keys without these, rows would be stored twice
 * @param databases those that have it
 */
public record SchemaTable(String name, List<String> columns, List<UniqueKey> keys, Set<Database> databases) {
    public SchemaTable {
        Objects.requireNonNull(name, "A table's name must not be null");
        columns = List.copyOf(columns);
        keys = List.copyOf(keys);
        databases = Set.copyOf(databases);
    }

    /** A table of all databases, without unique keys yet. */
    public static SchemaTable of(String name, String... columns) {
        return new SchemaTable(name, List.of(columns), List.of(), EnumSet.allOf(Database.class));
    }

    /** With a unique key of one or more columns. */
    public SchemaTable unique(String index, String... over) {
        return with(new UniqueKey(index, List.of(over), ""));
    }

    /** With a unique key of the rows in which this column is not null. */
    public SchemaTable uniqueWhereNotNull(String index, String column, String... over) {
        return with(new UniqueKey(index, List.of(over), column));
    }

    private SchemaTable with(UniqueKey key) {
        List<UniqueKey> more = new ArrayList<>(keys);
        more.add(key);
        return new SchemaTable(name, columns, more, databases);
    }

    /** The same table, which only these databases have. */
    public SchemaTable only(Database... where) {
        return new SchemaTable(name, columns, keys, Set.of(where));
    }

    /**
     * A unique index or a primary key. What counts are its columns; its name is the one that the index gets if it has to be
     * made again.
     *
     * @param notNull the index may leave out rows in which this column is null; empty if it must hold all rows
     */
    public record UniqueKey(String index, List<String> columns, String notNull) {
        public UniqueKey {
            Objects.requireNonNull(index, "An index needs a name");
            columns = List.copyOf(columns);
            Objects.requireNonNull(notNull, "A condition must not be null: it may be empty");
        }
    }
}
