// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The tables that one module brings, in order of their versions. A file that was released is never changed again.
 *
 * @param beside a class of the module: its files are in folders beside it, one a database
 * @param versionTable the table that notes which of them have been applied
 * @param remedy what to call so that they are
 */
public record SchemaFiles(Class<?> beside, String versionTable, String remedy, List<SchemaFile> files) {
    public SchemaFiles {
        Objects.requireNonNull(beside, "Schema files must be beside a class");
        Objects.requireNonNull(versionTable, "Schema files need a version table");
        Objects.requireNonNull(remedy, "Schema files must say how they are applied");
        files = List.copyOf(files);
    }

    /** Whether this file creates the table; otherwise an earlier one did, and this one alters it. */
    public boolean creates(SchemaFile file, SchemaTable table) {
        return files.stream()
                .filter(earlier -> earlier.version() < file.version())
                .flatMap(earlier -> earlier.tables().stream())
                .noneMatch(earlier -> earlier.name().equals(table.name()));
    }

    /**
     * One file.
     *
     * @param tables what it creates or adds to
     * @param proofs by database: a query that returns a row if what the file makes besides tables is there, and is this
     *     file's and no other version's
     */
    public record SchemaFile(int version, String file, List<SchemaTable> tables, Map<Database, String> proofs) {
        public SchemaFile {
            tables = List.copyOf(tables);
            proofs = Map.copyOf(proofs);
        }

        public static SchemaFile of(int version, String file, SchemaTable... tables) {
            return new SchemaFile(version, file, List.of(tables), Map.of());
        }

        /** As this, with a proof for one database. */
        public SchemaFile provedBy(Database database, String query) {
            return new SchemaFile(version, file, tables, Map.of(database, query));
        }
    }
}
