// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/**
 * A clock that moves only when a test moves it, for {@link dev.semel.memory.MemoryClaimStore}. So a slow machine does not
 * end a lease.
 */
public final class MutableClock implements InstantSource {
    private Instant now;

    /** A clock that shows this moment. */
    public MutableClock(Instant start) {
        this.now = Objects.requireNonNull(start, "A clock must start somewhere");
    }

    /** A clock that shows the current time of the machine. */
    public static MutableClock fromNow() {
        return new MutableClock(Instant.now());
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves the clock. A negative duration moves it back, which can happen to a real clock. */
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public String toString() {
        return "MutableClock[" + instant() + "]";
    }
}
