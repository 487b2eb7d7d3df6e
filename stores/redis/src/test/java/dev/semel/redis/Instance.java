// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static org.awaitility.Awaitility.await;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.TieredReplayCache;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** One of several instances over one store and one Redis. */
final class Instance implements AutoCloseable {
    static final Operation<String> CHARGE =
            Operation.of("card.charge", Codec.text()).waitingUpTo(Duration.ofSeconds(30));

    final CountingStore store;
    final RedisReplayCache redis;
    final TieredReplayCache tiers;
    private final Semel semel;
    private final Map<String, AtomicInteger> runs;

    /** @param runs how often each key's work ran, in all instances */
    Instance(MemoryClaimStore claims, String redisUrl, RedisOptions options, Map<String, AtomicInteger> runs) {
        this.runs = runs;
        store = new CountingStore(claims);
        redis = RedisReplayCache.connect(redisUrl, Secrets.of(Samples.SECRET), options);
        tiers = new TieredReplayCache(new ProcessReplayCache(1 << 20), redis);
        semel = Semel.on(store)
                .secrets(Secrets.of(Samples.SECRET))
                .replayCache(tiers)
                .withoutSweep()
                .build();
    }

    static Map<String, AtomicInteger> noRuns() {
        return new ConcurrentHashMap<>();
    }

    /** Waits until Redis is in use and the engine knows the epoch. */
    Instance ready() {
        await().until(() -> redis.health() instanceof RedisHealth.Up);
        await().until(() -> {
            long hits = tiers.processHits();
            charge("warm-up");
            return tiers.processHits() > hits;
        });
        return this;
    }

    Outcome<String> charge(String order) {
        ClaimKey key = CHARGE.key("acme", order);
        return semel.execute(
                CHARGE,
                key,
                run -> order + " run "
                        + runs.computeIfAbsent(order, any -> new AtomicInteger())
                                .incrementAndGet());
    }

    @Override
    public void close() {
        semel.close();
        redis.close();
    }
}
