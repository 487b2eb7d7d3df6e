// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import java.time.Duration;

/** Whether Redis is in use. If Redis is down, only the database load rises. */
public sealed interface RedisHealth {
    /** The duration of the current state, measured with a monotonic clock. */
    Duration since();

    /** Redis answers. */
    record Up(Duration since) implements RedisHealth {}

    /**
     * Redis is not used: every lookup is a miss without delay, and new attempts run in the background.
     *
     * @param reason the cause, without addresses, keys and passwords
     */
    record Degraded(String reason, Duration since) implements RedisHealth {}
}
