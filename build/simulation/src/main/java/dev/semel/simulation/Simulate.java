// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Runs simulations: {@code --seed S} runs one with its trace, {@code --seeds N [--from S]} runs many with their progress, and {@code
 * --store dynamodb} chooses another store than the memory store. Exits with 1 if a rule was broken.
 */
public final class Simulate {
    private static final long DEFAULT_SEEDS = 10_000;

    private Simulate() {}

    /** The program. */
    public static void main(String... args) {
        System.exit(run(System.out, System.err, args));
    }

    /** Returns the exit code: 0 if no rule was broken, 1 if one was, 2 if the arguments make no sense. */
    static int run(PrintStream out, PrintStream err, String... args) {
        long from = 1;
        long seeds = DEFAULT_SEEDS;
        boolean traced = false;
        StoreKind kind = StoreKind.MEMORY;
        try {
            for (int i = 0; i < args.length; i += 2) {
                String value = i + 1 < args.length ? args[i + 1] : "nothing";
                switch (args[i]) {
                    case "--seed" -> {
                        from = number(args[i], value);
                        traced = true;
                    }
                    case "--seeds" -> seeds = number(args[i], value);
                    case "--from" -> from = number(args[i], value);
                    case "--store" -> kind = StoreKind.of(value);
                    default -> throw new IllegalArgumentException("There is no option " + args[i]);
                }
            }
            // Otherwise nothing would run, and no rule would be broken.
            if (!traced && (seeds < 1 || from > Long.MAX_VALUE - seeds)) {
                throw new IllegalArgumentException("There are no %d seeds from %d on".formatted(seeds, from));
            }
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println(
                    "Usage: ./semel simulate [--store memory | --store dynamodb] [--seed S | --seeds N [--from S]]");
            return 2;
        }
        return traced ? one(kind, from, out) : many(kind, from, seeds, out);
    }

    private static int one(StoreKind kind, long seed, PrintStream out) {
        SimulationReport report = Simulation.run(kind, seed, true);
        report.trace().forEach(out::println);
        out.println(report.violations().isEmpty() ? "Seed " + seed + " broke no rule." : report.message());
        return report.violations().isEmpty() ? 0 : 1;
    }

    /** Runs many seeds on all processors, and returns 1 if one of them broke a rule. */
    static int many(StoreKind kind, long from, long seeds, PrintStream out) {
        AtomicLong done = new AtomicLong();
        AtomicLong calls = new AtomicLong();
        AtomicLong runs = new AtomicLong();
        long step = Math.max(1, seeds / 20);
        long began = System.nanoTime();
        long broken = LongStream.range(from, from + seeds)
                .parallel()
                .filter(seed -> {
                    SimulationReport report = Simulation.run(kind, seed, false);
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
            throw new IllegalArgumentException("%s needs a number, but got %s".formatted(option, text), e);
        }
    }
}
