// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.CpuPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One line of the common table: Semel compared with something else, or with a fixed goal.
 *
 * @param unit of figure and goal; "x" for ratios
 * @param goal the figure to reach, or {@link #NO_GOAL}
 * @param lessIsBetter whether a smaller figure is better
 * @param sides null if the figure says everything
 */
record Result(
        String work,
        String against,
        Ratio figure,
        String unit,
        double goal,
        boolean lessIsBetter,
        @Nullable Sides sides,
        String detail)
        implements ReportPart {
    /** The figure is only shown. */
    static final double NO_GOAL = Double.NaN;

    private static final String ALONE = "a fixed goal";
    private static final String NOTHING = "no goal";

    static Result rate(String work, String against, Paired paired, double goal) {
        return new Result(work, against, paired.rate(), "x", goal, false, Sides.of(paired), "");
    }

    static Result p50(String work, String against, Paired paired, double goal) {
        return new Result(work, against, paired.p50(), "x", goal, true, Sides.of(paired), "");
    }

    static Result p99(String work, String against, Paired paired, double goal) {
        return new Result(work, against, paired.p99(), "x", goal, true, Sides.of(paired), "");
    }

    /** The CPU time of a call: the median of the rounds' ratios, with its 95 % interval. */
    static Result cpu(String work, String against, List<CpuPair> pairs, double most) {
        return new Result(
                work,
                against,
                Ratio.within95(pairs.stream().map(CpuPair::ratio).toList()),
                "x",
                most,
                true,
                null,
                String.format(
                        Locale.ROOT,
                        "%.1f / %.1f µs; the range is the 95 %% interval of %d pairs",
                        Ratio.of(pairs.stream().map(CpuPair::semel).toList()).median(),
                        Ratio.of(pairs.stream().map(CpuPair::baseline).toList()).median(),
                        pairs.size()));
    }

    /** A figure that is compared with a fixed limit instead of another contender. */
    static Result atMost(String work, Ratio figure, String unit, double most, String detail) {
        return new Result(work, Double.isNaN(most) ? NOTHING : ALONE, figure, unit, most, true, null, detail);
    }

    /** A figure of each round, such as a time, compared with a fixed limit. */
    static Result atMost(
            String work, List<Measurement> rounds, ToDoubleFunction<Measurement> of, String unit, double most) {
        List<Double> values = new ArrayList<>();
        rounds.forEach(round -> values.add(of.applyAsDouble(round)));
        return atMost(work, Ratio.of(values), unit, most, "");
    }

    Result with(Sides shown) {
        return new Result(work, against, figure, unit, goal, lessIsBetter, shown, detail);
    }

    Result withoutGoal() {
        return new Result(work, against, figure, unit, NO_GOAL, lessIsBetter, sides, detail);
    }

    Result withDetail(String more) {
        return new Result(work, against, figure, unit, goal, lessIsBetter, sides, detail + more);
    }

    String reached() {
        if (Double.isNaN(goal)) {
            return "";
        }
        return (lessIsBetter ? figure.median() <= goal : figure.median() >= goal) ? "yes" : "**no**";
    }

    String figureText() {
        return "%s %s (%s to %s)"
                .formatted(
                        Sides.number(figure.median()),
                        unit,
                        Sides.number(figure.lowest()),
                        Sides.number(figure.highest()));
    }

    String goalText() {
        return Double.isNaN(goal)
                ? ""
                : "%s %s %s".formatted(lessIsBetter ? "at most" : "at least", Sides.number(goal), unit);
    }

    /** The goal, and whether it is reached. */
    String verdict() {
        return Double.isNaN(goal)
                ? ""
                : "%s: %s".formatted(goalText(), reached().replace("*", ""));
    }

    /** What has no column. */
    String more() {
        List<String> parts = new ArrayList<>();
        if (!detail.isEmpty()) {
            parts.add(detail);
        }
        if (sides != null) {
            for (String process : sides.furtherProcesses()) {
                parts.add("CPU of the %s %s µs".formatted(process, sides.micros(process)));
            }
            if (sides.engineIsHere()) {
                parts.add("allocated %s, switches %s".formatted(sides.bytes(), sides.switches()));
            }
        }
        return String.join("; ", parts);
    }
}
