// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.time.Duration;

/**
 * A contender and what drives it: a number of callers, each of which starts its next call after the previous one, or a fixed rate.
 *
 * @param perSecond the calls that start each second whatever the answers do, or 0 for callers
 */
record DrivenContender(Contender contender, int callers, double perSecond) {
    DrivenContender(Contender contender, int callers) {
        this(contender, callers, 0);
    }

    /** The same contender in an open loop. */
    static DrivenContender atRate(Contender.Async contender, double perSecond) {
        return new DrivenContender(contender, 0, perSecond);
    }

    /** @param cpu the processes whose CPU time is measured too */
    Measurement run(Duration duration, Cpu cpu) throws Exception {
        if (perSecond > 0 && contender instanceof Contender.Async async) {
            return LoadRun.run(async, new Schedule(perSecond, duration), cpu);
        }
        return LoadRun.run(this, duration, cpu);
    }

    String name() {
        return contender.name();
    }
}
