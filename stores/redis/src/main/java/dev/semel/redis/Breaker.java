// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * A circuit breaker: counts consecutive failures and determines the pause after too many. Reads and writes are counted
 * separately, because a full Redis answers all reads and rejects all writes.
 *
 * <p>The pause doubles with every attempt. It is reset only when a real call succeeds, so that a Redis that answers nothing
 * but probes is not tried again without a pause.
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

    /** @param random returns numbers from 0 to 1 for the jitter */
    Breaker(RedisOptions options, DoubleSupplier random) {
        this.limit = options.failures();
        this.firstPause = options.firstPause().toNanos();
        this.longestPause = options.longestPause().toNanos();
        this.random = random;
        this.pause = firstPause;
    }

    void succeeded(Kind kind) {
        // Usually the counter is 0. An unnecessary write would invalidate the cache line of all threads.
        if (inARow(kind).get() != 0) {
            inARow(kind).set(0);
            pause = firstPause;
        }
    }

    /** Counts a failure and returns whether the limit is reached. */
    boolean failed(Kind kind) {
        return inARow(kind).incrementAndGet() >= limit;
    }

    /** An attempt to connect succeeded. Until the first successful call, a single failure opens the breaker again. */
    void closed() {
        reads.set(limit - 1);
        writes.set(limit - 1);
    }

    /** The time until the next attempt: a random part of the pause, at least half, so that instances do not retry together. */
    synchronized long nextPauseNanos() {
        long now = pause;
        pause = Math.min(longestPause, now * 2);
        return (long) (now * (0.5 + random.getAsDouble() / 2));
    }

    private AtomicInteger inARow(Kind kind) {
        return kind == Kind.READ ? reads : writes;
    }
}
