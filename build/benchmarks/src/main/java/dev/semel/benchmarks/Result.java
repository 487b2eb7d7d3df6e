// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.CpuPair;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One line of RESULTS.md.
 *
 * @param unit of figure, least and goal; "x" for ratios
 * @param least the required figure, or {@link #NOT_ASKED}
 * @param goal a better figure, or {@link #NO_GOAL}
 * @param lessIsBetter whether a smaller figure is better
 */
record Result(
        String work,
        String against,
        Ratio figure,
        String unit,
        double least,
        double goal,
        boolean lessIsBetter,
        String detail) {
    /** There is no goal beyond the required figure. */
    static final double NO_GOAL = Double.NaN;

    /** There is no required figure. The figure is only shown. */
    static final double NOT_ASKED = Double.NaN;

    Result(String work, String against, Ratio figure, double least, double goal, boolean lessIsBetter, String detail) {
        this(work, against, figure, "x", least, goal, lessIsBetter, detail);
    }

    static Result rate(String work, String against, Paired paired, double least, double goal) {
        return new Result(work, against, paired.rate(), least, goal, false, detail(paired));
    }

    static Result p50(String work, String against, Paired paired, double least, double goal) {
        return new Result(work, against, paired.p50(), least, goal, true, detail(paired));
    }

    /** The CPU time of a call: the median of the rounds' ratios, with its 95 % interval. */
    static Result cpu(String work, String against, List<CpuPair> pairs, double most) {
        return new Result(
                work,
                against,
                Ratio.within95(pairs.stream().map(CpuPair::ratio).toList()),
                most,
                NO_GOAL,
                true,
                String.format(
                        Locale.ROOT,
                        "%.1f against %.1f µs; median and 95 %% interval of %d alternating rounds",
                        Ratio.of(pairs.stream().map(CpuPair::semel).toList()).median(),
                        Ratio.of(pairs.stream().map(CpuPair::baseline).toList()).median(),
                        pairs.size()));
    }

    /** A figure that is compared with a fixed limit instead of another contender. */
    static Result atMost(String work, Ratio figure, String unit, double most, String detail) {
        return new Result(work, "a fixed bound", figure, unit, most, NO_GOAL, true, detail);
    }

    Result withDetail(String more) {
        return new Result(work, against, figure, unit, least, goal, lessIsBetter, detail + more);
    }

    String verdict() {
        double value = figure.median();
        if (lessIsBetter ? value <= goal : value >= goal) {
            return "goal";
        }
        if (Double.isNaN(least)) {
            return "shown";
        }
        return (lessIsBetter ? value <= least : value >= least) ? "yes" : "**no**";
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | **%.2f %s** | %.2f to %.2f | %s | %s | %s | %s |",
                work,
                against,
                figure.median(),
                unit,
                figure.lowest(),
                figure.highest(),
                orNone(least),
                orNone(goal),
                verdict(),
                detail);
    }

    private String orNone(double value) {
        return Double.isNaN(value) ? "none" : String.format(Locale.ROOT, "%.2f %s", value, unit);
    }

    private static String detail(Paired paired) {
        return String.format(
                Locale.ROOT,
                "%,.0f/s against %,.0f/s; p50 %,.0f against %,.0f µs, p99 %,.0f against %,.0f µs; CPU %.0f against %.0f µs a call%s",
                median(paired.semel(), Measurement::perSecond),
                median(paired.baseline(), Measurement::perSecond),
                median(paired.semel(), m -> m.micros(0.5)),
                median(paired.baseline(), m -> m.micros(0.5)),
                median(paired.semel(), m -> m.micros(0.99)),
                median(paired.baseline(), m -> m.micros(0.99)),
                median(paired.semel(), Measurement::cpuMicros),
                median(paired.baseline(), Measurement::cpuMicros),
                others(paired));
    }

    private static String others(Paired paired) {
        return paired.semel().get(0).otherCpuMicros().keySet().stream()
                .map(name -> String.format(
                        Locale.ROOT,
                        ", %s %.0f against %.0f µs",
                        name,
                        median(paired.semel(), m -> m.otherCpuMicros().getOrDefault(name, 0.0)),
                        median(paired.baseline(), m -> m.otherCpuMicros().getOrDefault(name, 0.0))))
                .collect(Collectors.joining());
    }

    private static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> of) {
        return Ratio.of(rounds.stream().map(of::applyAsDouble).toList()).median();
    }
}
