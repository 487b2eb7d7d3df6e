// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures what the starter adds to the start of an application, in new processes, alternately with and without it. Run it on a
 * quiet machine with {@code -Dsemel.start.rounds=20}. It asserts nothing about time.
 */
public abstract class StartTimeCases {
    @Test
    @EnabledIfSystemProperty(named = "semel.start.rounds", matches = "[0-9]+")
    void starterAddsLittleToTheStart() throws Exception {
        int rounds = Integer.getInteger("semel.start.rounds");
        for (boolean reads : List.of(true, false)) {
            measure(rounds, reads);
        }
    }

    /** @param reads whether the application itself reads from its database when it starts */
    private static void measure(int rounds, boolean reads) throws Exception {
        List<Start> without = new ArrayList<>();
        List<Start> with = new ArrayList<>();
        try (ShopDatabase database = new ShopDatabase()) {
            // Creates the tables and fills the caches of the operating system.
            start(database, true, reads);
            start(database, false, reads);
            for (int round = 0; round < rounds; round++) {
                without.add(start(database, false, reads));
                with.add(start(database, true, reads));
            }
        }
        print("%s: median start without Semel %d ms (CPU %d ms), with Semel %d ms (CPU %d ms), %d rounds"
                .formatted(
                        reads ? "An application that reads its database" : "An application without a connection",
                        median(without, Start::millis),
                        median(without, Start::cpuMillis),
                        median(with, Start::millis),
                        median(with, Start::cpuMillis),
                        rounds));
        assertThat(with)
                .hasSize(rounds)
                .allSatisfy(start -> assertThat(start.millis()).isPositive());
    }

    @SuppressWarnings("SystemOut") // The result of the measurement.
    private static void print(String result) {
        System.out.println(result);
    }

    private static long median(List<Start> starts, ToLongFunction<Start> figure) {
        long[] sorted = starts.stream().mapToLong(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /** CPU time counts less of what other processes do meanwhile, but also what runs in parallel on other cores. */
    private record Start(long millis, long cpuMillis) {
        static Start of(String line) {
            String[] figures = line.substring(StartedShop.PREFIX.length()).split(" ", -1);
            return new Start(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
        }
    }

    private static Start start(ShopDatabase database, boolean semel, boolean reads)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StartedShop.class.getName()));
        command.addAll(RunningShop.properties(database));
        command.add("semel.enabled=" + semel);
        command.add("shop.reads=" + reads);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines()
                .filter(line -> line.startsWith(StartedShop.PREFIX))
                .map(Start::of)
                .findFirst()
                .orElseThrow();
    }
}
