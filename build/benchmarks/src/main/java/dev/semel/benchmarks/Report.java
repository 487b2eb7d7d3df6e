// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes RESULTS.md: the machine, the method, and the table. */
final class Report {
    private Report() {}

    static String of(List<String> lines, Paired.Effort effort) {
        return """
                # Results

                Made by `./semel bench`. Each line compares Semel with a baseline in the same run: alternating rounds of %d s,
                %d pairs after a warm-up of %d s (three times as long if the server is measured). The figure is the median of
                the pairs' ratios, with their range. Results have 300 bytes. CPU for a call is that of this process (client and engine),
                followed by the database's. If the server is measured, it is that of the load generator, followed by the server's and
                the database's.

                Machine: %s.

                | work | compared with | figure | range | required | goal | reached | details |
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
