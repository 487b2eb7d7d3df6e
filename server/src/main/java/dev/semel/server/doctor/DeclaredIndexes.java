// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from the schema files which indexes exist after all of them, and how each is created. */
final class DeclaredIndexes {
    private static final Pattern TABLE =
            Pattern.compile("(?:CREATE TABLE(?: IF NOT EXISTS)?|ALTER TABLE(?: ONLY)?) (\\w+)");
    private static final Pattern CREATED =
            Pattern.compile("CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\\w+)\\s+ON [^;]*");
    private static final Pattern DROPPED = Pattern.compile("DROP (?:INDEX|KEY) (?:IF EXISTS )?(\\w+)");
    private static final Pattern ADDED =
            Pattern.compile("(?:ADD )?((?:UNIQUE )?(?:KEY|INDEX)) (?:IF NOT EXISTS )?(\\w+_(?:idx|uq)) (\\([^)]*\\))");

    private DeclaredIndexes() {}

    /** Returns statements by the names of their indexes. */
    static Map<String, String> of(String ddl) {
        Map<String, String> all = new TreeMap<>();
        for (String statement : ddl.replaceAll("(?m)--.*$", "").split(";", -1)) {
            Matcher created = CREATED.matcher(statement);
            if (created.find()) {
                all.put(
                        created.group(1),
                        created.group().replaceAll("\\s+", " ").strip() + ";");
                continue;
            }
            Matcher table = TABLE.matcher(statement);
            if (table.find()) {
                Matcher added = ADDED.matcher(statement);
                while (added.find()) {
                    all.put(
                            added.group(2),
                            "ALTER TABLE %s ADD %s %s %s;"
                                    .formatted(table.group(1), added.group(1), added.group(2), added.group(3)));
                }
            }
            Matcher dropped = DROPPED.matcher(statement);
            while (dropped.find()) {
                all.remove(dropped.group(1));
            }
        }
        return all;
    }
}
