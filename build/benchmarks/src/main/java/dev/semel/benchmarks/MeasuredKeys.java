// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The keys of a measurement. */
final class MeasuredKeys {
    private final String run = UUID.randomUUID().toString();

    /** Whether the next call is a duplicate: nine of ten are. */
    static boolean isDuplicate() {
        return ThreadLocalRandom.current().nextInt(10) > 0;
    }

    /** A first-time key. */
    String firstTime(long number) {
        return run + "-" + number;
    }

    /** One of this many settled keys. */
    String settled(int count) {
        return run + "-settled-" + ThreadLocalRandom.current().nextInt(count);
    }

    String settledNumber(int number) {
        return run + "-settled-" + number;
    }
}
