// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.storage;

import dev.semel.key.Secrets;
import dev.semel.redis.RedisReplayCache;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.ReplayCache;
import dev.semel.replay.TieredReplayCache;
import dev.semel.server.config.Settings;
import java.util.Optional;

/** The replay cache of this process and, if configured, the shared cache in Redis. */
public final class ReplayCaches implements AutoCloseable {
    private static final long PROCESS_BYTES = 32L << 20;

    private final ProcessReplayCache own;
    private final ReplayCache replays;
    private final Optional<RedisReplayCache> redis;

    private ReplayCaches(ProcessReplayCache own, ReplayCache replays, Optional<RedisReplayCache> redis) {
        this.own = own;
        this.replays = replays;
        this.redis = redis;
    }

    static ReplayCaches of(Settings settings, Secrets secrets) {
        ProcessReplayCache own = new ProcessReplayCache(PROCESS_BYTES);
        Optional<RedisReplayCache> redis =
                settings.redis().map(url -> RedisReplayCache.connect(url.toString(), secrets));
        return new ReplayCaches(
                own,
                redis.<ReplayCache>map(shared -> new TieredReplayCache(own, shared))
                        .orElse(own),
                redis);
    }

    /** Returns the cache in this process's memory. */
    public ProcessReplayCache process() {
        return own;
    }

    /** Returns both tiers, if there is a shared one. */
    public Optional<TieredReplayCache> tiers() {
        return replays instanceof TieredReplayCache tiered ? Optional.of(tiered) : Optional.empty();
    }

    public ReplayCache replays() {
        return replays;
    }

    public Optional<RedisReplayCache> redis() {
        return redis;
    }

    @Override
    public void close() {
        redis.ifPresent(RedisReplayCache::close);
    }
}
