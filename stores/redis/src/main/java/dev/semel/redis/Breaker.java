// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * Counts failures in a row, and says how long to pause after too many. Reads and writes are counted apart: a Redis that
 * is full answers every read and refuses every write.
 *
 * <p>The pause doubles with every attempt and is over for good only once a real call succeeds, so that a Redis which
 * answers probes and nothing else is not tried ever again at once.
 */
final class Breaker {
    enum Kind {
        READ,
        WRITE
    }

    private final int limit;
    private final long firstPause;
    private final long longestPause;
    private final DoubleSupplier random;
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private volatile long pause;

    /** @param random from 0 to 1, for the jitter */
    Breaker(RedisOptions options, DoubleSupplier random) {
        this.limit = options.failures();
        this.firstPause = options.firstPause().toNanos();
        this.longestPause = options.longestPause().toNanos();
        this.random = random;
        this.pause = firstPause;
    }

    void succeeded(Kind kind) {
        // Nearly always there is nothing to write, and writing would cost all threads the cache line.
        if (inARow(kind).get() != 0) {
            inARow(kind).set(0);
            pause = firstPause;
        }
    }

    /** Whether that was one too many. */
    boolean failed(Kind kind) {
        return inARow(kind).incrementAndGet() >= limit;
    }

    /** The attempt worked: from now on one failure is one too many, until the first success. */
    void closed() {
        reads.set(limit - 1);
        writes.set(limit - 1);
    }

    /** How long to wait before the next attempt: half of the pause at least, so that instances do not come together. */
    synchronized long nextPauseNanos() {
        long now = pause;
        pause = Math.min(longestPause, now * 2);
        return (long) (now * (0.5 + random.getAsDouble() / 2));
    }

    private AtomicInteger inARow(Kind kind) {
        return kind == Kind.READ ? reads : writes;
    }
}
