// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Ratios of paired rounds: the median and the range. */
record Ratio(double median, double lowest, double highest) {
    static Ratio of(List<Double> ratios) {
        List<Double> sorted = new ArrayList<>(ratios);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Ratio(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }

    /**
     * The median and its 95 % confidence interval for any distribution. It follows from the binomial distribution: a round is
     * above or below the true median with equal probability.
     */
    static Ratio within95(List<Double> ratios) {
        List<Double> sorted = new ArrayList<>(ratios);
        Collections.sort(sorted);
        int rounds = sorted.size();
        double tail = 0;
        double probability = Math.pow(0.5, rounds);
        int outside = 0;
        while (outside < rounds / 2 && 2 * (tail + probability) <= 0.05) {
            tail += probability;
            outside++;
            probability *= (double) (rounds - outside + 1) / outside;
        }
        int first = Math.max(0, outside - 1);
        return new Ratio(of(sorted).median(), sorted.get(first), sorted.get(rounds - 1 - first));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f x (%.2f to %.2f)", median, lowest, highest);
    }
}
