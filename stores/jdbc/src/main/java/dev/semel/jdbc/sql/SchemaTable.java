// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The part of a table that a schema file creates. It is complete if the columns and the unique keys exist.
 *
 * @param columns the columns that the file creates
 * @param keys the unique keys; without them rows could be stored twice
 * @param databases the databases that have this table
 */
public record SchemaTable(String name, List<String> columns, List<UniqueKey> keys, Set<Database> databases) {
    public SchemaTable {
        Objects.requireNonNull(name, "A table's name must not be null");
        columns = List.copyOf(columns);
        keys = List.copyOf(keys);
        databases = Set.copyOf(databases);
    }

    /** A table of all databases, without unique keys. */
    public static SchemaTable of(String name, String... columns) {
        return new SchemaTable(name, List.of(columns), List.of(), EnumSet.allOf(Database.class));
    }

    /** Returns this table with a unique key over these columns. */
    public SchemaTable unique(String index, String... over) {
        return with(new UniqueKey(index, List.of(over), ""));
    }

    /** Returns this table with a unique key over the rows in which this column is not null. */
    public SchemaTable uniqueWhereNotNull(String index, String column, String... over) {
        return with(new UniqueKey(index, List.of(over), column));
    }

    private SchemaTable with(UniqueKey key) {
        List<UniqueKey> more = new ArrayList<>(keys);
        more.add(key);
        return new SchemaTable(name, columns, more, databases);
    }

    /** Returns this table for these databases only. */
    public SchemaTable only(Database... where) {
        return new SchemaTable(name, columns, keys, Set.of(where));
    }

    /**
     * A unique index or a primary key. Its columns are required; its name is only used to create it again.
     *
     * @param notNull the index may omit rows in which this column is null; empty if it must contain all rows
     */
    public record UniqueKey(String index, List<String> columns, String notNull) {
        public UniqueKey {
            Objects.requireNonNull(index, "An index needs a name");
            columns = List.copyOf(columns);
            Objects.requireNonNull(notNull, "A condition must not be null, but may be empty");
        }
    }
}
