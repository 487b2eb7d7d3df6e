// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.time.Duration;

/** Whether Redis is in use, and since how long that is so. Away, it is missed by nobody but the database. */
public sealed interface RedisHealth {
    /** How long it has been so, by a clock that nobody sets. */
    Duration since();

    /** Redis answers. */
    record Up(Duration since) implements RedisHealth {}

    /**
     * Redis is left alone: every question is a miss at once, and it is tried again in the background.
     *
     * @param reason what was wrong, in words that hold no address, no key and no password
     */
    record Degraded(String reason, Duration since) implements RedisHealth {}
}
