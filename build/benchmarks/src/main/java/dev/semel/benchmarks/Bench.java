// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The program behind {@code ./semel bench}. */
public final class Bench {
    private static final List<Benchmark> ALL = List.of(
            new PostgresClaims(),
            new PostgresPeers(),
            new PostgresDuplicates(),
            new PostgresSingle(),
            new MetricsCost(),
            new PostgresTransactionsBench(),
            new MariaDbClaims(),
            new SqliteClaims(),
            new HttpLedger(),
            new HttpClaims(),
            new HttpDuplicates(),
            new HttpWebhooks(),
            new HttpProxy(),
            new HttpFilter(),
            new HttpStart(),
            new HttpMemory(),
            new PostgresSweepBench(),
            new PostgresLarge());

    private static final String USAGE = """
            usage: ./semel bench [--large] [--quick] [--results FILE] [NAME ...]
                   ./semel bench --before JAR [--quick] [--results FILE]

              NAME            runs only these: %s
              --large         also runs those that take minutes each: %s
              --before JAR    compares the server's CPU time for a request with an earlier jar of the server
              --quick         rounds of half a second, to check that everything runs; the figures have no meaning
              --results FILE  writes the table to this file; by default to build/benchmarks/RESULTS.md after a whole run with
                              --large, and otherwise only to the screen

            Use a machine without other load.
            """.formatted(names(false), names(true));

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        Request request = Request.of(arguments);
        if (request == null) {
            System.exit(2);
            return;
        }
        List<String> lines = new ArrayList<>();
        try (Progress progress = new Progress(request.chosen().size())) {
            for (Benchmark benchmark : request.chosen()) {
                progress.step(benchmark.name());
                for (Result result : benchmark.run(request.effort())) {
                    lines.add(result.line());
                    Progress.note(result.line());
                }
                progress.done();
                if (request.results() != null) {
                    // After each benchmark, so that an interrupted run keeps its results.
                    Files.writeString(request.results(), Report.of(lines, request.effort()));
                }
            }
        }
        System.out.println(Report.of(lines, request.effort()));
        // Other libraries leave threads running, which would keep this process from ending.
        System.exit(0);
    }

    private static String names(boolean large) {
        return ALL.stream()
                .filter(benchmark -> !large || benchmark.large())
                .map(Benchmark::name)
                .collect(Collectors.joining(", "));
    }

    /** The options of the command line. */
    private record Request(
            List<Benchmark> chosen,
            Paired.Effort effort,
            @Nullable Path results) {
        static @Nullable Request of(String[] arguments) {
            List<String> words = new ArrayList<>(List.of(arguments));
            boolean large = words.remove("--large");
            boolean quick = words.remove("--quick");
            Path results = null;
            int at = words.indexOf("--results");
            if (at >= 0 && at + 1 < words.size()) {
                results = Path.of(words.remove(at + 1));
                words.remove(at);
            }
            List<Benchmark> before = List.of();
            int earlier = words.indexOf("--before");
            if (earlier >= 0 && earlier + 1 < words.size()) {
                before = List.of(new HttpBefore(Path.of(words.remove(earlier + 1))));
                words.remove(earlier);
            }
            for (String word : words) {
                if (ALL.stream().noneMatch(benchmark -> benchmark.name().equals(word))) {
                    System.err.println("Unknown benchmark or option '" + word + "'.\n\n" + USAGE);
                    return null;
                }
            }
            List<Benchmark> chosen = ALL.stream()
                    .filter(benchmark ->
                            words.isEmpty() ? large || !benchmark.large() : words.contains(benchmark.name()))
                    .toList();
            String home = System.getProperty("semel.home");
            if (results == null && home != null && chosen.size() == ALL.size() && !quick) {
                results = Path.of(home, "build", "benchmarks", "RESULTS.md");
            }
            return new Request(
                    before.isEmpty() ? chosen : before, quick ? Paired.Effort.QUICK : Paired.Effort.USUAL, results);
        }
    }
}
