// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The schema files of one module, in the order of their versions. A released file never changes.
 *
 * @param anchor a class of the module; the files are in folders next to it, one per database
 * @param versionTable the table that records the applied files
 * @param remedy the call that applies them, for error messages
 */
public record SchemaFiles(Class<?> anchor, String versionTable, String remedy, List<SchemaFile> files) {
    public SchemaFiles {
        Objects.requireNonNull(anchor, "Schema files need a class next to them");
        Objects.requireNonNull(versionTable, "Schema files need a version table");
        Objects.requireNonNull(remedy, "Schema files need the call that applies them");
        files = List.copyOf(files);
    }

    /** Whether this file creates the table. Otherwise an earlier file created it, and this one alters it. */
    public boolean creates(SchemaFile file, SchemaTable table) {
        return files.stream()
                .filter(earlier -> earlier.version() < file.version())
                .flatMap(earlier -> earlier.tables().stream())
                .noneMatch(earlier -> earlier.name().equals(table.name()));
    }

    /**
     * One schema file.
     *
     * @param tables the tables that it creates or alters
     * @param proofs by database: a query that returns a row if this version's other objects exist, such as functions
     */
    public record SchemaFile(int version, String file, List<SchemaTable> tables, Map<Database, String> proofs) {
        public SchemaFile {
            tables = List.copyOf(tables);
            proofs = Map.copyOf(proofs);
        }

        public static SchemaFile of(int version, String file, SchemaTable... tables) {
            return new SchemaFile(version, file, List.of(tables), Map.of());
        }

        /** Returns this file with a proof for one database. */
        public SchemaFile provedBy(Database database, String query) {
            return new SchemaFile(version, file, tables, Map.of(database, query));
        }
    }
}
