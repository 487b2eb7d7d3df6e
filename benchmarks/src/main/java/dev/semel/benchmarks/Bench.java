// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code ./semel bench [--large] [--quick] [--results FILE] [name ...]}. */
public final class Bench {
    private static final List<Benchmark> ALL = List.of(
            new PostgresClaims(),
            new PostgresTransactions(),
            new PostgresPeers(),
            new MariaDbClaims(),
            new SqliteClaims());

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        boolean large = words.remove("--large");
        Paired.Effort effort = words.remove("--quick") ? Paired.Effort.QUICK : Paired.Effort.USUAL;
        Path results = null;
        int at = words.indexOf("--results");
        if (at >= 0 && at + 1 < words.size()) {
            results = Path.of(words.remove(at + 1));
            words.remove(at);
        }
        List<Benchmark> chosen = chosen(words, large);
        List<String> lines = new ArrayList<>();
        try (Progress progress = new Progress(chosen.size())) {
            for (Benchmark benchmark : chosen) {
                progress.step(benchmark.name());
                for (Result result : benchmark.run(effort)) {
                    lines.add(result.line());
                    Progress.note(result.line());
                }
                progress.done();
            }
        }
        String text = Report.of(lines, effort);
        System.out.println(text);
        if (results != null) {
            Files.writeString(results, text);
        }
        // Peers leave threads behind that would keep this process alive.
        System.exit(0);
    }

    private static List<Benchmark> chosen(List<String> names, boolean large) {
        Set<String> known = ALL.stream().map(Benchmark::name).collect(Collectors.toSet());
        for (String name : names) {
            if (!known.contains(name)) {
                System.err.println("There is no benchmark '" + name + "'; there are: "
                        + ALL.stream().map(Benchmark::name).collect(Collectors.joining(", ")));
                System.exit(2);
            }
        }
        return ALL.stream()
                .filter(benchmark -> names.isEmpty() ? large || !benchmark.large() : names.contains(benchmark.name()))
                .toList();
    }
}
