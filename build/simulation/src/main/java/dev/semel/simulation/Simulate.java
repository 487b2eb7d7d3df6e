// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Runs simulations: {@code --seed S} runs one with its trace, {@code --seeds N [--from S]} runs many with their progress. Exits with
 * 1 if a rule was broken.
 */
public final class Simulate {
    private static final long DEFAULT_SEEDS = 10_000;
    private static final Set<String> OPTIONS = Set.of("--seed", "--seeds", "--from");

    private Simulate() {}

    /** The program. */
    public static void main(String... args) {
        System.exit(run(System.out, System.err, args));
    }

    /** Returns the exit code: 1 if a rule was broken, 2 for wrong options. */
    static int run(PrintStream out, PrintStream err, String... args) {
        Map<String, Long> options = new HashMap<>();
        try {
            for (int i = 0; i < args.length; i += 2) {
                options.put(known(args[i]), number(args[i], i + 1 < args.length ? args[i + 1] : "nothing"));
            }
            if (options.containsKey("--seed") && options.size() > 1) {
                throw new IllegalArgumentException("--seed runs one seed: leave --seeds and --from out");
            }
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println("Usage: ./semel simulate [--seed S | --seeds N [--from S]]");
            return 2;
        }
        Long seed = options.get("--seed");
        return seed == null
                ? many(options.getOrDefault("--from", 1L), options.getOrDefault("--seeds", DEFAULT_SEEDS), out)
                : one(seed, out);
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

    private static String known(String option) {
        if (!OPTIONS.contains(option)) {
            throw new IllegalArgumentException(option + " is no option");
        }
        return option;
    }

    private static long number(String option, String text) {
        long number;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s needs a number, but got %s".formatted(option, text), e);
        }
        if (option.equals("--seeds") && number < 1) {
            throw new IllegalArgumentException("--seeds must be at least 1, but is " + number);
        }
        return number;
    }
}
