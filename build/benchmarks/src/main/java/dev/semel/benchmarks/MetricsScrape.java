// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The numbers of a server's {@code /metrics}, in the text format of Prometheus. */
record MetricsScrape(List<Sample> samples) {
    private static final char COMMENT = '#';

    static MetricsScrape of(String text) {
        List<Sample> samples = new ArrayList<>();
        text.lines()
                .filter(line -> !line.isBlank() && line.charAt(0) != COMMENT)
                .forEach(line -> samples.add(sample(line)));
        return new MetricsScrape(List.copyOf(samples));
    }

    /** {@code name{label="value",...} number}; a label's value may contain spaces and braces. */
    private static Sample sample(String line) {
        int labels = line.indexOf('{');
        int endOfLabels = line.lastIndexOf('}');
        int endOfName = labels < 0 ? line.indexOf(' ') : labels;
        if (endOfName <= 0 || endOfLabels < labels) {
            throw new IllegalArgumentException("Not a sample of Prometheus' text format: " + line);
        }
        String number =
                line.substring(Math.max(endOfName, endOfLabels + 1)).strip().split(" ", -1)[0];
        return new Sample(
                line.substring(0, endOfName),
                labels < 0 ? "" : line.substring(labels + 1, endOfLabels),
                Double.parseDouble(number.replace("+Inf", "Infinity").replace("-Inf", "-Infinity")));
    }

    /** The sum of the samples that have this name and all of these labels, such as {@code kind="apply"}. */
    double sum(String name, String... labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name) && sample.hasAll(labels))
                .mapToDouble(Sample::value)
                .sum();
    }

    /** The average of what a summary or a timer has measured since an earlier scrape; not a number if that is nothing. */
    double averageSince(MetricsScrape before, String name, String... labels) {
        double count = sum(name + "_count", labels) - before.sum(name + "_count", labels);
        double total = sum(name + "_sum", labels) - before.sum(name + "_sum", labels);
        return count > 0 ? total / count : Double.NaN;
    }

    record Sample(String name, String labels, double value) {
        boolean hasAll(String... wanted) {
            for (String label : wanted) {
                if (!("," + labels + ",").contains("," + label + ",")) {
                    return false;
                }
            }
            return true;
        }
    }
}
