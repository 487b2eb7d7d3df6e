// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.time.Duration;

/** The time limits of the engines, and the bounds of calls that follow from them. */
final class Bounds {
    static final Duration STATEMENT = Duration.ofMillis(500);

    /** Of DynamoDB, with the repetitions of the SDK. */
    static final Duration REQUEST = Duration.ofMillis(1_600);

    static final Duration STORE = Duration.ofSeconds(2);
    static final Duration POOL = Duration.ofSeconds(1);

    /** For a machine with more processes than cores. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private Bounds() {}

    /** Claim, renewal, run and settlement, each with the store's time-out; a caller may also run a call of the store itself. */
    static Duration execute(Item item) {
        return item.maxWait()
                .plus(STORE.multipliedBy(4))
                .plus(item.lease().multipliedBy(2))
                .plus(SLACK);
    }

    /** Work in a transaction is repeated after conflicts and unknown commits, each time with the driver's time limits. */
    static Duration transaction(Item item) {
        return item.maxWait().plusSeconds(30).plus(SLACK);
    }

    static Duration webhook() {
        return Duration.ofSeconds(8 + 8).plus(STORE.multipliedBy(4)).plus(SLACK);
    }

    static Duration journal() {
        return Duration.ofSeconds(10).plus(STORE).plus(SLACK);
    }
}
