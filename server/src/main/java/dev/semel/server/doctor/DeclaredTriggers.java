// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.doctor;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from the schema files of MariaDB and MySQL which triggers exist, and how each is created. */
final class DeclaredTriggers {
    /** A statement ends at an empty line: the body of a trigger has semicolons. */
    private static final Pattern CREATED = Pattern.compile(
            "^CREATE TRIGGER (\\w+) .*?(?=;\\s*?(?:\\n\\s*?\\n|\\z))", Pattern.DOTALL | Pattern.MULTILINE);

    private DeclaredTriggers() {}

    /** Returns statements by the names of their triggers. */
    static Map<String, String> of(String ddl) {
        Map<String, String> all = new TreeMap<>();
        Matcher created = CREATED.matcher(ddl);
        while (created.find()) {
            all.put(created.group(1), created.group().replaceAll("\\s+", " "));
        }
        return all;
    }
}
