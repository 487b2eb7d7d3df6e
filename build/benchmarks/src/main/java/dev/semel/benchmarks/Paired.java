// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * Two contenders in alternating rounds, each compared with its neighbour. Other load on the machine affects both, and the
 * range of the ratios shows how reliable the figure is.
 */
record Paired(List<Measurement> semel, List<Measurement> baseline) {
    static Paired run(Contender semel, Contender baseline, int callers, Effort effort, Cpu cpu) throws Exception {
        return run(new DrivenContender(semel, callers), new DrivenContender(baseline, callers), effort, cpu);
    }

    /** @param cpu the processes whose CPU time is measured too */
    static Paired run(DrivenContender semel, DrivenContender baseline, Effort effort, Cpu cpu) throws Exception {
        return new Rounds(effort, cpu).of(semel, baseline);
    }

    /** The ratio of work per second. */
    Ratio rate() {
        return ratio((ours, theirs) -> ours.perSecond() / theirs.perSecond());
    }

    /** The ratio of the median times of a call. */
    Ratio p50() {
        return ratio((ours, theirs) -> ours.micros(0.5) / theirs.micros(0.5));
    }

    /** The ratio of the times that 99 of 100 calls do not exceed. */
    Ratio p99() {
        return ratio((ours, theirs) -> ours.micros(0.99) / theirs.micros(0.99));
    }

    /** CPU time for a call: of one process in our rounds, and of the same or another process in the baseline's rounds. */
    List<CpuPair> cpu(String ours, String theirs) {
        List<CpuPair> pairs = new ArrayList<>();
        for (int i = 0; i < semel.size(); i++) {
            pairs.add(new CpuPair(micros(semel.get(i), ours), micros(baseline.get(i), theirs)));
        }
        return pairs;
    }

    /** CPU time of this process for a call, without the database. */
    List<CpuPair> ownCpu() {
        List<CpuPair> pairs = new ArrayList<>();
        for (int i = 0; i < semel.size(); i++) {
            pairs.add(new CpuPair(semel.get(i).cpuMicros(), baseline.get(i).cpuMicros()));
        }
        return pairs;
    }

    private static double micros(Measurement measurement, String process) {
        return measurement.otherCpuMicros().getOrDefault(process, Double.NaN);
    }

    private Ratio ratio(ToDoubleBiFunction<Measurement, Measurement> of) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < semel.size(); i++) {
            ratios.add(of.applyAsDouble(semel.get(i), baseline.get(i)));
        }
        return Ratio.of(ratios);
    }

    /** CPU time for a call in two neighbouring rounds, in microseconds. */
    record CpuPair(double semel, double baseline) {
        double ratio() {
            return semel / baseline;
        }
    }

    /**
     * The number and length of rounds.
     *
     * @param warmUp of each contender, before its first round
     */
    record Effort(Duration warmUp, Duration round, int rounds) {
        static final Effort USUAL = new Effort(Duration.ofSeconds(10), Duration.ofMillis(1_500), 5);
        static final Effort QUICK = new Effort(Duration.ofMillis(500), Duration.ofMillis(500), 3);
        private static final int MANY = 24;

        Effort withRounds(int number) {
            return new Effort(warmUp, round, number);
        }

        /** Whether rounds are so short that their figures have no meaning. */
        boolean isTrial() {
            return round.compareTo(USUAL.round) < 0;
        }

        /** Enough rounds for a 95 % interval, unless this is a trial. */
        Effort manyRounds() {
            return rounds < MANY && !isTrial() ? withRounds(MANY) : this;
        }

        /** For a new server: its JIT compiler is busy for longer than that of this process, which has run other benchmarks. */
        Effort cold() {
            return new Effort(warmUp.multipliedBy(3), round, rounds);
        }

        /** The warm-up of a contender that has run before. */
        Duration warmUpAgain() {
            return warmUp.compareTo(round) < 0 ? warmUp : round;
        }
    }
}
