// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the rounds of one contender show, as medians.
 *
 * @param perSecond pieces of work
 * @param clientMicros CPU time of this process for a piece of work
 * @param otherMicros CPU time of other processes for a piece of work
 * @param bytes that this process allocates for a piece of work
 * @param switches times that a thread of this process waits, for a piece of work; not a number where the system does not tell
 */
record Side(
        double perSecond,
        double p50Micros,
        double p99Micros,
        double clientMicros,
        Map<String, Double> otherMicros,
        double bytes,
        double switches) {

    static Side of(List<Measurement> rounds) {
        Map<String, Double> others = new LinkedHashMap<>();
        for (String name : rounds.get(0).otherCpuMicros().keySet()) {
            others.put(name, median(rounds, round -> round.otherCpuMicros().getOrDefault(name, 0.0)));
        }
        return new Side(
                median(rounds, Measurement::perSecond),
                median(rounds, round -> round.micros(0.5)),
                median(rounds, round -> round.micros(0.99)),
                median(rounds, Measurement::cpuMicros),
                others,
                median(rounds, Measurement::bytes),
                median(rounds, Measurement::switches));
    }

    /** Without the CPU time of this process. */
    Side without(String process) {
        Map<String, Double> rest = new LinkedHashMap<>(otherMicros);
        rest.remove(process);
        return with(rest);
    }

    /** With the CPU time of this process as that of the server. */
    Side withServer(String process) {
        Map<String, Double> rest = new LinkedHashMap<>(without(process).otherMicros);
        rest.put(Cpu.SERVER, otherMicros.getOrDefault(process, Double.NaN));
        return with(rest);
    }

    private Side with(Map<String, Double> processes) {
        return new Side(perSecond, p50Micros, p99Micros, clientMicros, processes, bytes, switches);
    }

    static double median(List<Measurement> rounds, ToDoubleFunction<Measurement> of) {
        List<Double> values = new ArrayList<>();
        rounds.forEach(round -> values.add(of.applyAsDouble(round)));
        return Ratio.of(values).median();
    }
}
