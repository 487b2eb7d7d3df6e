// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves only when the test advances it. */
public final class TestClock implements InstantSource {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public synchronized Instant instant() {
        return now;
    }

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }
}
