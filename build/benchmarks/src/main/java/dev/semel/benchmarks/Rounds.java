// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import dev.semel.benchmarks.Paired.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Measures pairs of contenders in alternating rounds. Each contender, a peer too, is warmed up before its first round. One that has
 * run before needs only a short warm-up.
 */
final class Rounds {
    private static final List<Integer> SIZES = List.of(8, 16, 32, 64);
    private static final int MIDDLE = 16;
    private static final int SETTLING_PART = 4;

    private final Effort effort;
    private final Cpu cpu;
    private final Set<Contender> warm = new HashSet<>();

    /** @param cpu the processes whose CPU time is measured too */
    Rounds(Effort effort, Cpu cpu) {
        this.effort = effort;
        this.cpu = cpu;
    }

    Paired of(Contender semel, Contender baseline, int callers) throws Exception {
        return of(new DrivenContender(semel, callers), new DrivenContender(baseline, callers));
    }

    Paired of(DrivenContender semel, DrivenContender baseline) throws Exception {
        warmUp(baseline);
        warmUp(semel);
        List<Measurement> ours = new ArrayList<>();
        List<Measurement> theirs = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            theirs.add(baseline.run(effort.round(), cpu));
            ours.add(semel.run(effort.round(), cpu));
        }
        return new Paired(ours, theirs);
    }

    /** The rounds of one contender alone. */
    List<Measurement> of(DrivenContender one) throws Exception {
        warmUp(one);
        List<Measurement> rounds = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            rounds.add(one.run(effort.round(), cpu));
        }
        return rounds;
    }

    private void warmUp(DrivenContender one) throws Exception {
        one.run(warm.add(one.contender()) ? effort.warmUp() : effort.warmUpAgain(), cpu);
    }

    /** The contender that blocks and whose pool size is the fastest on this machine, found by trying. */
    Contender bestPool(String name, int callers, IntFunction<Contender.BlockingCall> withPoolOf) throws Exception {
        return best(
                        name,
                        size -> new DrivenContender(
                                new Contender.Blocking(name + ", pool of " + size, withPoolOf.apply(size)), callers))
                .contender();
    }

    /**
     * The contender in the size that is the fastest on this machine, found by trying. The first one is warmed up before, because
     * all sizes run the same code.
     */
    DrivenContender best(String name, IntFunction<DrivenContender> ofSize) throws Exception {
        DrivenContender best = ofSize.apply(MIDDLE);
        warmUp(best);
        double bestRate = 0;
        StringBuilder tried = new StringBuilder();
        DrivenContender middle = best;
        for (int size : SIZES) {
            DrivenContender candidate = size == MIDDLE ? middle : ofSize.apply(size);
            double rate = rate(candidate);
            tried.append(String.format(Locale.ROOT, " %d: %,.0f/s,", size, rate));
            if (rate > bestRate) {
                best = candidate;
                bestRate = rate;
            }
        }
        warm.add(best.contender());
        Progress.note("  tried with %s:%s the best is %s".formatted(name, tried, best.name()));
        return best;
    }

    private double rate(DrivenContender candidate) throws Exception {
        Duration settling = effort.round().dividedBy(SETTLING_PART);
        candidate.run(settling, Cpu.OWN);
        return candidate.run(effort.round().minus(settling), Cpu.OWN).perSecond();
    }
}
