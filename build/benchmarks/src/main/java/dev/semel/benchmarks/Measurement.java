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
    private final ThreadCounts.Counted counted;
    private final long lateNanos;

    /**
     * @param nanos how long each call took
     * @param pieces how many pieces of work a call did
     */
    Measurement(double seconds, long[] nanos, int pieces, Cpu.Spent cpu, ThreadCounts.Counted counted) {
        this(seconds, sorted(nanos), pieces, cpu, counted, 0);
    }

    private Measurement(
            double seconds,
            long[] sortedNanos,
            int pieces,
            Cpu.Spent cpu,
            ThreadCounts.Counted counted,
            long lateNanos) {
        this.seconds = seconds;
        this.sortedNanos = sortedNanos;
        this.pieces = pieces;
        this.cpu = cpu;
        this.counted = counted;
        this.lateNanos = lateNanos;
    }

    private static long[] sorted(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("A round finished without any call");
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Joins several rounds of the same contender. */
    static Measurement together(List<Measurement> rounds) {
        return new Measurement(
                rounds.stream().mapToDouble(round -> round.seconds).sum(),
                rounds.stream()
                        .flatMapToLong(round -> Arrays.stream(round.sortedNanos))
                        .toArray(),
                rounds.get(0).pieces,
                rounds.stream().map(round -> round.cpu).reduce(Cpu.Spent::plus).orElseThrow(),
                rounds.stream()
                        .map(round -> round.counted)
                        .reduce(ThreadCounts.Counted::plus)
                        .orElseThrow());
    }

    /** This measurement of an open loop whose generator started 99 of 100 calls at most this late. */
    Measurement startedLateBy(long nanos) {
        return new Measurement(seconds, sortedNanos, pieces, cpu, counted, nanos);
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

    /** Bytes that this process allocated for a piece of work. */
    double bytes() {
        return counted.bytes() / sortedNanos.length / pieces;
    }

    /** Times that a thread of this process waited, for a piece of work; not a number where the system does not tell. */
    double switches() {
        return counted.switches() / sortedNanos.length / pieces;
    }

    /** How late an open loop started 99 of 100 calls at most. */
    double lateMicros() {
        return lateNanos / 1_000.0;
    }

    private double micros(long nanos) {
        return nanos / 1_000.0 / sortedNanos.length / pieces;
    }

    /** The time of a call which this part of all calls does not exceed, such as 0.99. */
    double micros(double quantile) {
        int rank = (int) Math.ceil(quantile * sortedNanos.length);
        return sortedNanos[Math.max(rank, 1) - 1] / 1_000.0;
    }
}
