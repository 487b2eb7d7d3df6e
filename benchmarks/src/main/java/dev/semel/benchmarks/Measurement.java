// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.Arrays;
import java.util.List;

/** What one contender did in one round. */
final class Measurement {
    private final double seconds;
    private final long[] sortedNanos;
    private final long cpuNanos;

    /**
     * @param nanos how long each call took
     * @param cpuNanos what this process, client and engine, spent of the processor; the database's own is not in it
     */
    Measurement(double seconds, long[] nanos, long cpuNanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("Nothing was done in a round");
        }
        this.seconds = seconds;
        this.sortedNanos = nanos.clone();
        this.cpuNanos = cpuNanos;
        Arrays.sort(sortedNanos);
    }

    /** Several rounds as one. */
    static Measurement together(List<Measurement> rounds) {
        return new Measurement(
                rounds.stream().mapToDouble(round -> round.seconds).sum(),
                rounds.stream()
                        .flatMapToLong(round -> Arrays.stream(round.sortedNanos))
                        .toArray(),
                rounds.stream().mapToLong(round -> round.cpuNanos).sum());
    }

    int calls() {
        return sortedNanos.length;
    }

    double perSecond() {
        return sortedNanos.length / seconds;
    }

    double cpuMicrosPerCall() {
        return cpuNanos / 1_000.0 / sortedNanos.length;
    }

    double micros(double quantile) {
        int index = (int) Math.min(sortedNanos.length - 1L, Math.round(quantile * sortedNanos.length));
        return sortedNanos[index] / 1_000.0;
    }
}
