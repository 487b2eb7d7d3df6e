// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** RESULTS.md: the machine, how it was measured, and the table. */
final class Report {
    private Report() {}

    static String of(List<String> lines, Paired.Effort effort) {
        return """
                # Results

                Made by `./semel bench`. Each line is Semel against its baseline in the same run: rounds of %d s in turns,
                %d pairs after a warm-up of %d s (three times as long where the server is measured); the figure is the median
                of the pairs' ratios, with their range. CPU is this process's (client and engine), not the database's; where
                the server is measured, it is the load generator's, and the server's and the database's follow.

                Machine: %s.

                | work | against | figure | range | asked | goal | reached | seen |
                |---|---|---|---|---|---|---|---|
                %s
                """.formatted(
                        effort.round().toSeconds(),
                        effort.rounds(),
                        effort.warmUp().toSeconds(),
                        machine(),
                        String.join("\n", lines));
    }

    private static String machine() {
        Runtime runtime = Runtime.getRuntime();
        return "%d cores (%s), %s %s, Java %s"
                .formatted(
                        runtime.availableProcessors(),
                        processor(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.version"));
    }

    private static String processor() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
