// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import dev.semel.redis.RedisHealth;
import dev.semel.redis.RedisReplayCache;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reports an unavailable Redis as degraded, because replays then come from the database. */
public final class RedisHealthCheck implements HealthCheck {
    private final RedisReplayCache cache;

    public RedisHealthCheck(RedisReplayCache cache) {
        this.cache = cache;
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public CompletionStage<State> state() {
        return CompletableFuture.completedStage(cache.health() instanceof RedisHealth.Up ? State.UP : State.DEGRADED);
    }
}
