// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Catalog.Entry;
import dev.semel.benchmarks.Catalog.When;
import dev.semel.benchmarks.Paired.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The command line of {@code ./semel bench}.
 *
 * @param results the file for the results, or null
 */
record BenchOptions(
        List<Entry> chosen, Effort effort, @Nullable Path results, boolean help) {
    private static final Cost BEFORE = new Cost(15, 20, 24, 0);

    static String usage() {
        return """
                usage: ./semel bench [--all | --large | NAME ...] [--quick] [--rounds N] [--results FILE]
                       ./semel bench --before JAR [--quick] [--rounds N] [--results FILE]

                  Without names these run, in about %s (about %s with --quick):
                %s
                  With --all these too, in about %s:
                %s
                  With --large these too:
                %s
                  Only by name:
                %s

                  NAME            runs only these
                  --quick         rounds of half a second, to check that everything runs; the figures have no meaning
                  --rounds N      N pairs of rounds of 1.5 s instead of 5 (24 where a 95 %% interval is shown)
                  --before JAR    compares the server with an earlier jar of it: rate, CPU, and p99 in an open loop; about %s.
                                  CONTRIBUTING.md shows how to build the jar of an earlier commit
                  --results FILE  also writes the tables to this file, as Markdown; a whole run with --large writes
                                  build/benchmarks/target/RESULTS.md if no file is named
                  --help          prints this text

                The progress bar and what happens meanwhile are on standard error, the tables at the end on standard output.
                Use a machine without other load.
                """.formatted(
                        time(entry -> entry.when() == When.ALWAYS, Effort.USUAL),
                        time(entry -> entry.when() == When.ALWAYS, Effort.QUICK),
                        Catalog.lines(When.ALWAYS),
                        time(entry -> entry.when().compareTo(When.IF_ALL) <= 0, Effort.USUAL),
                        Catalog.lines(When.IF_ALL),
                        Catalog.lines(When.LARGE),
                        Catalog.lines(When.IF_NAMED),
                        Catalog.minutes(BEFORE.at(Effort.USUAL)));
    }

    private static String time(Predicate<Entry> which, Effort effort) {
        return Catalog.minutes(
                Catalog.expected(Catalog.ALL.stream().filter(which).toList(), effort));
    }

    /** @throws IllegalArgumentException with a message for the user */
    static BenchOptions of(String... arguments) {
        Queue<String> words = new ArrayDeque<>(List.of(arguments));
        List<Entry> named = new ArrayList<>();
        When most = When.ALWAYS;
        Effort effort = Effort.USUAL;
        Integer rounds = null;
        Path results = null;
        Path before = null;
        while (!words.isEmpty()) {
            String word = words.remove();
            switch (word) {
                case "--help", "-h" -> {
                    return new BenchOptions(List.of(), effort, null, true);
                }
                case "--all" -> most = most == When.LARGE ? most : When.IF_ALL;
                case "--large" -> most = When.LARGE;
                case "--quick" -> effort = Effort.QUICK;
                case "--rounds" -> rounds = count(value(word, words));
                case "--results" -> results = Path.of(value(word, words));
                case "--before" -> before = jar(value(word, words));
                default -> named.add(entry(word));
            }
        }
        if (before != null && (!named.isEmpty() || most != When.ALWAYS)) {
            throw new IllegalArgumentException("--before runs alone: name no benchmark besides it");
        }
        if (!named.isEmpty() && most != When.ALWAYS) {
            throw new IllegalArgumentException(
                    (most == When.LARGE ? "--large" : "--all") + " and names exclude each other");
        }
        Effort chosenEffort = rounds == null ? effort : effort.withRounds(rounds);
        if (before != null) {
            Entry entry = new Entry(new HttpBefore(before), When.ALWAYS, BEFORE, "an earlier jar");
            return new BenchOptions(List.of(entry), chosenEffort, results, false);
        }
        return new BenchOptions(named.isEmpty() ? upTo(most) : named, chosenEffort, results, false);
    }

    private static List<Entry> upTo(When most) {
        return Catalog.ALL.stream()
                .filter(entry -> entry.when().compareTo(most) <= 0)
                .toList();
    }

    private static String value(String option, Queue<String> words) {
        String value = words.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }

    private static int count(String text) {
        if (!text.matches("[1-9][0-9]{0,2}")) {
            throw new IllegalArgumentException("--rounds needs a number from 1 to 999, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static Path jar(String text) {
        Path jar = Path.of(text);
        if (!Files.isRegularFile(jar)) {
            throw new IllegalArgumentException("--before needs a jar of the server, and there is no file " + jar);
        }
        return jar;
    }

    private static Entry entry(String name) {
        return Catalog.ALL.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Unknown benchmark or option '%s'. The benchmarks are:%n%s".formatted(name, names())));
    }

    private static String names() {
        String names = Catalog.ALL.stream().map(Entry::name).collect(Collectors.joining(", "));
        return String.join("\n", Report.wrapped(names, "  "));
    }

    /** Whether this is a whole run, whose results are worth keeping. */
    boolean whole() {
        return chosen.containsAll(upTo(When.LARGE)) && !effort.isTrial();
    }
}
