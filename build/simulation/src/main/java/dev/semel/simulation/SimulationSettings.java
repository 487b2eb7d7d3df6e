// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.SemelBuilder;
import java.time.Duration;
import java.util.List;

/**
 * What a seed decides about all processes.
 *
 * @param kind the store
 * @param processes how many there are
 * @param rotates whether the secret is replaced while they run
 * @param cached whether they keep results in memory
 * @param storeTimeout how long callers wait for the store
 * @param maxClaims how many claims a process has in progress at most
 * @param storeThreads how many calls to the store a process makes at the same time
 * @param faultRate how many calls to the store fail
 * @param largestResult the largest result that the store accepts
 */
record SimulationSettings(
        StoreKind kind,
        int processes,
        boolean rotates,
        boolean cached,
        Duration storeTimeout,
        int maxClaims,
        int storeThreads,
        double faultRate,
        int largestResult) {
    private static final long HOUR = 3_600_000_000_000L;

    static SimulationSettings of(StoreKind kind, Dice dice) {
        return new SimulationSettings(
                kind,
                dice.between(2, 5),
                dice.chance(0.2),
                dice.chance(0.7),
                Duration.ofMillis(dice.between(300L, 2_000L)),
                dice.chance(0.1) ? dice.between(2, 6) : 10_000,
                dice.oneOf(List.of(1, 2, 4, 8)),
                dice.oneOf(List.of(0.0, 0.02, 0.1, 0.3)),
                dice.chance(0.15) ? 3_000 : Integer.MAX_VALUE);
    }

    /** Where a process's clock starts: an hour ahead or behind, or shortly before its numbers wrap around. */
    long clockOffset(Dice dice) {
        return dice.oneOf(List.of(0L, HOUR, -HOUR, dice.between(-HOUR, HOUR), Long.MAX_VALUE - 5_000_000_000L));
    }

    SemelBuilder configured(SemelBuilder builder, Dice dice) {
        builder.storeTimeout(storeTimeout).maxClaims(maxClaims).storeThreads(storeThreads);
        if (dice.chance(0.7)) {
            builder.sweepEvery(Duration.ofMillis(dice.between(500L, 6_000L) * kind.sweepCost()))
                    .sweepBatch(dice.oneOf(List.of(1, 3, 500)));
        } else {
            builder.withoutSweep();
        }
        return cached ? builder : builder.withoutReplayCache();
    }
}
