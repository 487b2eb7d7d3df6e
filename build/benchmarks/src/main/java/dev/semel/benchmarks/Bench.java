// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Catalog.Entry;
import dev.semel.benchmarks.Paired.Effort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program behind {@code ./semel bench}. */
public final class Bench {
    private static final int WRONG_USAGE = 2;

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        BenchOptions options;
        try {
            options = BenchOptions.of(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n./semel bench --help explains all names and options");
            System.exit(WRONG_USAGE);
            return;
        }
        if (options.help()) {
            System.out.print(BenchOptions.usage());
            return;
        }
        System.out.println(Report.screen(run(options), options.effort()));
        // Other libraries leave threads running, which would keep this process from ending.
        System.exit(0);
    }

    private static List<ReportPart> run(BenchOptions options) throws Exception {
        Effort effort = options.effort();
        Path results = options.results() == null && options.whole() ? newResults() : options.results();
        List<ReportPart> parts = new ArrayList<>();
        try (Progress progress = new Progress(Catalog.expected(options.chosen(), effort))) {
            for (Entry entry : options.chosen()) {
                progress.step(entry.name(), entry.expected(effort));
                for (ReportPart part : entry.benchmark().run(effort)) {
                    parts.add(part);
                    if (part instanceof Result result) {
                        Progress.note(
                                "%s, against %s: %s".formatted(result.work(), result.against(), result.figureText()));
                    }
                }
                progress.done();
                if (results != null) {
                    // After each benchmark, so that an interrupted run keeps its results.
                    Files.writeString(results, Report.markdown(parts, effort));
                }
            }
        }
        return parts;
    }

    /** Not the file that people read: its explanations are written by hand. */
    private static @Nullable Path newResults() {
        String home = System.getProperty("semel.home");
        return home == null ? null : Path.of(home, "build", "benchmarks", "target", "RESULTS.md");
    }
}
