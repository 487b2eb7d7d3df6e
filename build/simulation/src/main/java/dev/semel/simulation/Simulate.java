// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Runs simulations: {@code --seed S} runs one with its trace, {@code --seeds N [--from S]} runs many with their progress. Exits with
 * 1 if a rule was broken.
 */
public final class Simulate {
    private static final long DEFAULT_SEEDS = 10_000;

    private Simulate() {}

    /** The program. */
    public static void main(String... args) {
        long from = 1;
        long seeds = DEFAULT_SEEDS;
        boolean traced = false;
        for (int i = 0; i < args.length; i += 2) {
            long value = i + 1 < args.length ? number(args[i], args[i + 1]) : usage();
            switch (args[i]) {
                case "--seed" -> {
                    from = value;
                    seeds = 1;
                    traced = true;
                }
                case "--seeds" -> seeds = value;
                case "--from" -> from = value;
                default -> usage();
            }
        }
        System.exit(traced ? one(from, System.out) : many(from, seeds, System.out));
    }

    private static int one(long seed, PrintStream out) {
        SimulationReport report = Simulation.run(seed, true);
        report.trace().forEach(out::println);
        out.println(report.violations().isEmpty() ? "Seed " + seed + " broke no rule." : report.message());
        return report.violations().isEmpty() ? 0 : 1;
    }

    /** Runs many seeds on all processors, and returns 1 if one of them broke a rule. */
    static int many(long from, long seeds, PrintStream out) {
        AtomicLong done = new AtomicLong();
        AtomicLong calls = new AtomicLong();
        AtomicLong runs = new AtomicLong();
        long step = Math.max(1, seeds / 20);
        long began = System.nanoTime();
        long broken = LongStream.range(from, from + seeds)
                .parallel()
                .filter(seed -> {
                    SimulationReport report = Simulation.run(seed, false);
                    calls.addAndGet(report.calls());
                    runs.addAndGet(report.runs());
                    if (!report.violations().isEmpty()) {
                        out.println(report.message());
                    }
                    long number = done.incrementAndGet();
                    if (number % step == 0) {
                        out.printf(
                                "%,d of %,d seeds, %,d calls, %,d runs, %d s%n",
                                number, seeds, calls.get(), runs.get(), (System.nanoTime() - began) / 1_000_000_000);
                    }
                    return !report.violations().isEmpty();
                })
                .count();
        out.printf("%,d of %,d seeds broke a rule%n", broken, seeds);
        return broken == 0 ? 0 : 1;
    }

    private static long number(String option, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            System.err.printf("%s needs a number, but got %s%n", option, text);
            return usage();
        }
    }

    private static long usage() {
        System.err.println("Usage: ./semel simulate [--seed S | --seeds N [--from S]]");
        System.exit(2);
        return 0;
    }
}
