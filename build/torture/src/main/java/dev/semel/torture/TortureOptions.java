// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture;

import dev.semel.torture.faults.FaultKind;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a round is made of.
 *
 * @param seed decides the workloads, the faults and their times; how threads meet is up to the machine
 * @param seconds how long there is load
 * @param works the workloads, separated by commas; empty for all
 * @param classPath what the workers run
 */
record TortureOptions(
        String store, long seed, int seconds, Set<FaultKind> faults, int processes, String works, String classPath) {
    TortureOptions {
        faults = faults.isEmpty() ? EnumSet.noneOf(FaultKind.class) : EnumSet.copyOf(faults);
    }

    TortureOptions with(long otherSeed, int otherSeconds) {
        return new TortureOptions(store, otherSeed, otherSeconds, faults, processes, works, classPath);
    }

    /** The command that repeats the round. */
    String command() {
        String chosen = works.isEmpty() ? "" : " --works " + works;
        return "./semel torture --store %s --seed %d --seconds %d --processes %d --faults %s%s"
                .formatted(store, seed, seconds, processes, FaultKind.format(faults), chosen);
    }
}
