// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc.sql;

import java.util.List;
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

    /**
     * One file.
     *
     * @param probe a query that fails while what the file creates is not there
     */
    public record SchemaFile(int version, String file, String probe) {}
}
