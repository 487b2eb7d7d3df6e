// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Measures what the starter adds to the start of an application, in new processes that alternate. Run it on a quiet machine with
 * {@code -Dsemel.start.rounds=20}. It asserts nothing about time.
 */
public abstract class StartTimeCases {
    @Test
    @EnabledIfSystemProperty(named = "semel.start.rounds", matches = "[0-9]+")
    void starterAddsLittleToTheStart() throws Exception {
        int rounds = Integer.getInteger("semel.start.rounds");
        Map<Application, List<Start>> starts = new EnumMap<>(Application.class);
        try (ShopDatabase database = new ShopDatabase()) {
            for (int round = -1; round < rounds; round++) {
                for (Application application : Application.values()) {
                    Start start = start(database, application);
                    // Round -1 creates the tables and fills the caches of the operating system.
                    if (round >= 0) {
                        starts.computeIfAbsent(application, any -> new ArrayList<>())
                                .add(start);
                    }
                }
            }
        }
        print("An application that reads its database", starts, Application.READS, Application.READS_WITH_SEMEL);
        print("An application without a connection", starts, Application.IDLE, Application.IDLE_WITH_SEMEL);
        print("Semel instead of the first read", starts, Application.READS, Application.IDLE_WITH_SEMEL);
        assertThat(starts.values())
                .allSatisfy(all -> assertThat(all)
                        .hasSize(rounds)
                        .allSatisfy(start -> assertThat(start.millis()).isPositive()));
    }

    /** What is started. An idle application does not use its database at the start. */
    private enum Application {
        READS(true, false),
        READS_WITH_SEMEL(true, true),
        IDLE(false, false),
        IDLE_WITH_SEMEL(false, true);

        private final boolean reads;
        private final boolean semel;

        Application(boolean reads, boolean semel) {
            this.reads = reads;
            this.semel = semel;
        }
    }

    private static void print(
            String what, Map<Application, List<Start>> starts, Application without, Application with) {
        List<Start> before = Objects.requireNonNull(starts.get(without));
        List<Start> after = Objects.requireNonNull(starts.get(with));
        long[] added = IntStream.range(0, before.size())
                .mapToLong(i -> after.get(i).millis() - before.get(i).millis())
                .toArray();
        double mean = LongStream.of(added).average().orElseThrow();
        double variance = LongStream.of(added)
                        .mapToDouble(one -> (one - mean) * (one - mean))
                        .sum()
                / Math.max(1, added.length - 1);
        print(
                "%s: start without Semel %d ms (CPU %d ms), with Semel %d ms (CPU %d ms), added %.0f ms ± %.0f (95 %%), %d rounds"
                        .formatted(
                                what,
                                median(before, Start::millis),
                                median(before, Start::cpuMillis),
                                median(after, Start::millis),
                                median(after, Start::cpuMillis),
                                mean,
                                1.96 * Math.sqrt(variance / added.length),
                                added.length));
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

    private static Start start(ShopDatabase database, Application application)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                StartedShop.class.getName()));
        command.addAll(RunningShop.properties(database));
        command.add("semel.enabled=" + application.semel);
        command.add("shop.reads=" + application.reads);
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
