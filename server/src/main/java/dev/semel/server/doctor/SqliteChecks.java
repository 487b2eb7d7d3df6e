// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Durability of SQLite, as the server opens the file. */
final class SqliteChecks {
    private static final int FULL = 2;

    private SqliteChecks() {}

    static List<Finding> of(ServerVariables variables) throws SQLException {
        List<Finding> all = new ArrayList<>();
        if (Integer.parseInt(variables.one("PRAGMA synchronous")) < FULL) {
            all.add(
                    Finding.error(
                            "sqlite.synchronous",
                            "synchronous is below FULL: a power failure can lose acknowledged claims, and the work runs again",
                            "PRAGMA synchronous = FULL; on every connection, which the server does unless the driver overrides it"));
        }
        String journal = variables.one("PRAGMA journal_mode").toLowerCase(Locale.ROOT);
        if (journal.equals("memory")) {
            all.add(Finding.error(
                    "sqlite.memory",
                    "The database is in memory: all claims are lost when the server stops",
                    "Name a file, such as --database-url jdbc:sqlite:data/semel.db"));
        } else if (!journal.equals("wal")) {
            all.add(Finding.warning(
                    "sqlite.journal_mode",
                    "journal_mode is %s: readers and the writer block each other. The file system may not support a write-ahead log"
                            .formatted(journal),
                    "PRAGMA journal_mode = WAL; if it stays the same, move the file to a local disk"));
        }
        return all;
    }
}
