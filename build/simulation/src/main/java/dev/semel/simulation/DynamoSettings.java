// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import java.util.List;

/**
 * What a seed decides about the simulated DynamoDB.
 *
 * @param ahead by how much the clock of each server is ahead of the simulation's, in nanoseconds; less than two seconds apart
 * @param outliers how many answers have a date that is an hour off
 * @param conflicts how many writes meet a transaction
 * @param longestIndexing how long the index takes to show a change at most, in nanoseconds
 * @param attempts how often the SDK sends a request at most
 * @param suspensions how many requests are sent by a host that is suspended at that moment
 */
record DynamoSettings(
        List<Long> ahead, double outliers, double conflicts, long longestIndexing, int attempts, double suspensions) {
    private static final long MILLI = 1_000_000;

    /** @param cached whether processes keep results in memory, by clocks that must not stand still */
    static DynamoSettings of(Dice dice, boolean cached) {
        boolean suspends = !cached && dice.chance(0.6);
        // A clock that stood still for a moment may err by a second more, which the margin covers if the servers agree.
        long apart = suspends
                ? dice.oneOf(List.of(0L, 500 * MILLI))
                : dice.oneOf(List.of(0L, 100 * MILLI, 1_000 * MILLI, 1_980 * MILLI, 1_980 * MILLI));
        return new DynamoSettings(
                List.of(-apart / 2, apart / 2, dice.between(-apart / 2, apart / 2 + 1)),
                dice.oneOf(List.of(0.0, 0.01, 0.1)),
                dice.oneOf(List.of(0.0, 0.02, 0.1)),
                dice.oneOf(List.of(2 * MILLI, 200 * MILLI, 3_000 * MILLI)),
                dice.oneOf(List.of(1, 3)),
                suspends ? 0.03 : 0);
    }
}
