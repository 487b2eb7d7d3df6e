// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.time.Duration;
import java.util.function.IntFunction;

/** A contender and its number of callers. */
record DrivenContender(Contender contender, int callers) {
    private static final int LARGEST = 64;

    /** The contender with the number of callers that is fastest on this machine, found by trying. */
    static DrivenContender atItsBest(IntFunction<DrivenContender> ofSize) throws Exception {
        DrivenContender best = ofSize.apply(2);
        double bestRate = best.tried();
        for (int size = 4; size <= LARGEST; size *= 2) {
            DrivenContender candidate = ofSize.apply(size);
            double rate = candidate.tried();
            if (rate > bestRate) {
                best = candidate;
                bestRate = rate;
            }
        }
        return best;
    }

    private double tried() throws Exception {
        LoadRun.run(contender, callers, Duration.ofMillis(700));
        return LoadRun.run(contender, callers, Duration.ofMillis(1_300)).perSecond();
    }

    String name() {
        return contender.name();
    }
}
