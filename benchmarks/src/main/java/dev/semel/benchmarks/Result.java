// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One line of RESULTS.md.
 *
 * @param least what is asked for at least
 * @param goal what would be better
 * @param lessIsBetter whether a small figure is the good one
 */
record Result(
        String work, String against, Ratio figure, double least, double goal, boolean lessIsBetter, String detail) {

    static Result rate(String work, String against, Paired paired, double least, double goal) {
        return new Result(work, against, paired.rate(), least, goal, false, detail(paired));
    }

    static Result p50(String work, String against, Paired paired, double least, double goal) {
        return new Result(work, against, paired.p50(), least, goal, true, detail(paired));
    }

    Result withDetail(String more) {
        return new Result(work, against, figure, least, goal, lessIsBetter, detail + more);
    }

    String verdict() {
        double value = figure.median();
        if (lessIsBetter ? value <= goal : value >= goal) {
            return "goal";
        }
        return (lessIsBetter ? value <= least : value >= least) ? "yes" : "**no**";
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | **%.2f x** | %.2f to %.2f | %.2f x | %.2f x | %s | %s |",
                work,
                against,
                figure.median(),
                figure.lowest(),
                figure.highest(),
                least,
                goal,
                verdict(),
                detail);
    }

    private static String detail(Paired paired) {
        return String.format(
                Locale.ROOT,
                "%,.0f/s against %,.0f/s; p50 %,.0f against %,.0f µs, p99 %,.0f against %,.0f µs; CPU %.0f against %.0f µs a call",
                median(paired.semel(), Measurement::perSecond),
                median(paired.baseline(), Measurement::perSecond),
                median(paired.semel(), m -> m.micros(0.5)),
                median(paired.baseline(), m -> m.micros(0.5)),
                median(paired.semel(), m -> m.micros(0.99)),
                median(paired.baseline(), m -> m.micros(0.99)),
                median(paired.semel(), Measurement::cpuMicrosPerCall),
                median(paired.baseline(), Measurement::cpuMicrosPerCall));
    }

    private static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> of) {
        return Ratio.of(rounds.stream().map(of::applyAsDouble).toList()).median();
    }
}
