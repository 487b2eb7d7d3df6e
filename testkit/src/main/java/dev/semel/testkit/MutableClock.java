// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;

/**
 * A clock that stands still until it is moved, for {@link dev.semel.memory.MemoryClaimStore}: a lease lapses when the
 * test says so, not when the machine is slow.
 */
public final class MutableClock implements InstantSource {
    private Instant now;

    /** A clock that shows this moment. */
    public MutableClock(Instant start) {
        this.now = Objects.requireNonNull(start, "A clock must start somewhere");
    }

    /** A clock that shows the moment of its making. */
    public static MutableClock fromNow() {
        return new MutableClock(Instant.now());
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    /** Moves the clock; a negative duration moves it back, as a real one may be moved. */
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public String toString() {
        return "MutableClock[" + instant() + "]";
    }
}
