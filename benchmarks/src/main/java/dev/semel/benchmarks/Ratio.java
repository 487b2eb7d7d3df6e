// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Ratios of paired rounds: the median, and the range in which all lie. */
record Ratio(double median, double lowest, double highest) {
    static Ratio of(List<Double> ratios) {
        List<Double> sorted = new ArrayList<>(ratios);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Ratio(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.2f x (%.2f to %.2f)", median, lowest, highest);
    }
}
