// SPDX-License-Identifier: Apache-2.0
package dev.semel.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows of {@code docs/failures.md}, each with the test classes that it names. */
final class FailureList {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d+a?) \\|.*\\| ([^|]+) \\|$");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");
    private static final Pattern METHOD = Pattern.compile("\\bvoid ((?:row\\d+a?_)+)");
    private static final Pattern NUMBER = Pattern.compile("row0*(\\d+a?)_");

    private final Map<String, Set<String>> classes = new TreeMap<>();

    FailureList(String markdown) {
        Matcher row = ROW.matcher(markdown);
        while (row.find()) {
            Set<String> named = new TreeSet<>();
            CLASS.matcher(row.group(2)).results().forEach(name -> named.add(name.group(1)));
            if (named.isEmpty() || classes.put(row.group(1), named) != null) {
                throw new IllegalArgumentException("Row %s names no test, or appears twice".formatted(row.group(1)));
            }
        }
    }

    int size() {
        return classes.size();
    }

    /** The test classes that the list names and that do not exist. */
    List<String> missing(Set<String> existing) {
        return classes.values().stream()
                .flatMap(Set::stream)
                .distinct()
                .filter(name -> !existing.contains(name))
                .toList();
    }

    /** The rows that a test class proves by a method named {@code rowNN_...} and that do not name it. */
    List<String> unlisted(String className, String source) {
        List<String> unlisted = new ArrayList<>();
        METHOD.matcher(source)
                .results()
                .flatMap(method -> NUMBER.matcher(method.group(1)).results())
                .map(number -> number.group(1))
                .distinct()
                .filter(row -> !classes.getOrDefault(row, Set.of()).contains(className))
                .forEach(row -> unlisted.add("row %s: %s".formatted(row, className)));
        return unlisted;
    }
}
