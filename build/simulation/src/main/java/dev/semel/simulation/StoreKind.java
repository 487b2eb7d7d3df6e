// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation;

import dev.semel.simulation.history.StoreClock;
import java.util.Arrays;
import java.util.Locale;

/** The stores that can be simulated. */
public enum StoreKind {
    /** The memory store, which decides by its own clock. */
    MEMORY,

    /**
     * The DynamoDB store on a simulated DynamoDB. Its leases count from when a command was sent. Times are written up to 4 s later
     * than they should be: the time is known to within two seconds, the servers' clocks differ by less than two. What is over
     * counts as over two seconds of margin later, and as much as the time is uncertain.
     */
    DYNAMODB;

    private static final StoreClock ROUGH = new StoreClock(true, 4_000_000_000L, 6_000_000_000L);

    StoreClock clock() {
        return this == MEMORY ? StoreClock.EXACT : ROUGH;
    }

    /** How much rarer than usual sweeps are, so that a simulation does not consist of them. */
    int sweepCost() {
        return this == MEMORY ? 1 : 5;
    }

    /**
     * How long a sweep that is in progress may go on after everything else, in nanoseconds. An index that shows deleted rows for
     * some seconds makes a sweep look for more.
     */
    long longestSweep() {
        return this == MEMORY ? 370_000_000L : 10_000_000_000L;
    }

    /** The name of an option. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException if there is no such store */
    static StoreKind of(String option) {
        return Arrays.stream(values())
                .filter(kind -> kind.option().equals(option))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no store %s, only memory and dynamodb".formatted(option)));
    }
}
