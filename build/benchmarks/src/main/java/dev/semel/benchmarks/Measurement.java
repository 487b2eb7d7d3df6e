// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The measurement of one contender in one round. */
final class Measurement {
    private final double seconds;
    private final long[] sortedNanos;
    private final int pieces;
    private final Cpu.Spent cpu;

    /**
     * @param nanos how long each call took
     * @param pieces how many pieces of work a call did
     */
    Measurement(double seconds, long[] nanos, int pieces, Cpu.Spent cpu) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("A round finished without any call");
        }
        this.seconds = seconds;
        this.sortedNanos = nanos.clone();
        this.pieces = pieces;
        this.cpu = cpu;
        Arrays.sort(sortedNanos);
    }

    /** Joins several rounds of the same contender. */
    static Measurement together(List<Measurement> rounds) {
        return new Measurement(
                rounds.stream().mapToDouble(round -> round.seconds).sum(),
                rounds.stream()
                        .flatMapToLong(round -> Arrays.stream(round.sortedNanos))
                        .toArray(),
                rounds.get(0).pieces,
                rounds.stream().map(round -> round.cpu).reduce(Cpu.Spent::plus).orElseThrow());
    }

    int calls() {
        return sortedNanos.length;
    }

    /** Pieces of work per second. */
    double perSecond() {
        return (double) sortedNanos.length * pieces / seconds;
    }

    /** CPU time of this process for a piece of work. */
    double cpuMicros() {
        return micros(cpu.own());
    }

    /** CPU time of the other measured processes for a piece of work. */
    Map<String, Double> otherCpuMicros() {
        Map<String, Double> micros = new LinkedHashMap<>();
        cpu.others().forEach((name, nanos) -> micros.put(name, micros(nanos)));
        return micros;
    }

    private double micros(long nanos) {
        return nanos / 1_000.0 / sortedNanos.length / pieces;
    }

    double micros(double quantile) {
        int index = (int) Math.min(sortedNanos.length - 1L, Math.round(quantile * sortedNanos.length));
        return sortedNanos[index] / 1_000.0;
    }
}
