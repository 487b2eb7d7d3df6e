// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static dev.semel.redis.Samples.LONG_TIMEOUTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Outcome;
import dev.semel.claim.ClaimRef;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.replay.ReplayCache;
import dev.semel.testservers.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances over one store share replays through Redis, and the store stays authoritative. */
class InstancesOverRedisTest {
    private final RedisServer server = RedisServer.start(Map.of("appendonly", "no"));
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final MemoryClaimStore claims = new MemoryClaimStore(now::get);
    private final Map<String, AtomicInteger> runs = Instance.noRuns();
    private final List<Instance> instances = new ArrayList<>();

    @AfterEach
    void close() {
        instances.forEach(Instance::close);
        server.close();
    }

    @Test
    void anInstanceReplaysAnotherInstancesResultWithoutTheStore() {
        Instance first = instance().ready();
        Instance second = instance().ready();

        // The engine waits for Redis for 20 ms and then reads the store. That may happen on a slow machine.
        await().until(() -> {
            String order = "order-" + ThreadLocalRandom.current().nextInt(1_000_000_000);
            assertThat(first.charge(order)).isEqualTo(new Outcome.Succeeded<>(order + " run 1", false));
            int asked = second.store.calls.get();
            long hits = second.redis.hits();

            assertThat(second.charge(order)).isEqualTo(new Outcome.Succeeded<>(order + " run 1", true));

            return second.store.calls.get() == asked && second.redis.hits() == hits + 1;
        });
        assertThat(second.tiers.sharedHits()).isPositive();
    }

    /** Row 32: answers stay the same, and nothing runs twice, while Redis stops and restarts. */
    @Test
    void row32_redisKilledUnderLoadChangesNoAnswer() throws Exception {
        Instance first = instance().ready();
        Instance second = instance().ready();
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService callers = Executors.newFixedThreadPool(8);
        AtomicInteger answers = new AtomicInteger();
        try {
            List<Future<?>> started = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Instance instance = i % 2 == 0 ? first : second;
                started.add(callers.submit(() -> {
                    for (int n = 0; !enough.get(); n++) {
                        String order = "order-" + n % 5_000;
                        assertThat(instance.charge(order).orElseThrow()).isEqualTo(order + " run 1");
                        answers.incrementAndGet();
                    }
                }));
            }
            for (int i = 0; i < 3; i++) {
                int before = answers.get();
                await().until(() -> answers.get() > before + 1_000);
                server.kill();
                await().until(() -> first.redis.health() instanceof RedisHealth.Degraded);
                int without = answers.get();
                await().until(() -> answers.get() > without + 1_000);
                server.restart();
                await().until(() -> first.redis.health() instanceof RedisHealth.Up
                        && second.redis.health() instanceof RedisHealth.Up);
            }
            enough.set(true);
            for (Future<?> each : started) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            enough.set(true);
            callers.shutdownNow();
        }
        assertThat(runs.values()).allSatisfy(count -> assertThat(count).hasValue(1));
    }

    /** With the default options, each caller waits at most 20 ms until Redis is disabled, and then not at all. */
    @Test
    void row32_aSilentRedisChangesNoAnswerAndIsSoonDisabled() throws Exception {
        try (FrozenNetwork network = new FrozenNetwork(server)) {
            RedisOptions rarely =
                    RedisOptions.defaults().withBreaker(3, Duration.ofMillis(100), Duration.ofMinutes(10));
            Instance instance = new Instance(claims, network.uri(server), rarely, runs);
            instances.add(instance);
            instance.ready();

            network.freeze();
            AtomicInteger order = new AtomicInteger();
            await().until(() -> {
                String next = "silent-" + order.incrementAndGet();
                assertThat(instance.charge(next)).isEqualTo(new Outcome.Succeeded<>(next + " run 1", false));
                return instance.redis.health() instanceof RedisHealth.Degraded;
            });
            long commands = instance.redis.commands();

            for (int i = 0; i < 1_000; i++) {
                String next = "silent-" + order.incrementAndGet();
                assertThat(instance.charge(next)).isEqualTo(new Outcome.Succeeded<>(next + " run 1", false));
                assertThat(instance.charge(next)).isEqualTo(new Outcome.Succeeded<>(next + " run 1", true));
            }
            assertThat(instance.redis.commands()).isEqualTo(commands);
        }
    }

    /** Row 33: the dump has entries from before the claim was changed by an operator or expired. */
    @Test
    void row33_redisRestoredFromAnOldDumpReturnsNoOldAnswer(@TempDir Path elsewhere) throws Exception {
        Instance before = instance().ready();
        long oldEpoch = claims.current();
        assertThat(before.charge("order-17").orElseThrow()).isEqualTo("order-17 run 1");
        ReplayCache.Key oldKey = new ReplayCache.Key(oldEpoch, ref("order-17"));
        await().until(() ->
                before.redis.get(oldKey).toCompletableFuture().join().isPresent());
        Path dump = server.dataDirectory().resolve("dump.rdb");
        try (RawRedis raw = new RawRedis(server)) {
            raw.commands().save();
        }
        Files.copy(dump, elsewhere.resolve("dump.rdb"));

        // The claim has expired, its work runs again, and caches are invalidated.
        now.updateAndGet(time -> time.plus(Duration.ofDays(8)));
        claims.advance();
        Instance after = instance().ready();
        assertThat(after.charge("order-17").orElseThrow()).isEqualTo("order-17 run 2");

        server.kill();
        Files.copy(elsewhere.resolve("dump.rdb"), dump, StandardCopyOption.REPLACE_EXISTING);
        server.restart();
        Instance later = instance().ready();

        assertThat(later.redis.get(oldKey).toCompletableFuture().join())
                .as("the dump was restored")
                .isPresent();
        for (int i = 0; i < 20; i++) {
            assertThat(later.charge("order-17").orElseThrow()).isEqualTo("order-17 run 2");
        }
        assertThat(runs.get("order-17")).hasValue(2);
    }

    private Instance instance() {
        Instance made = new Instance(claims, server.uri(), LONG_TIMEOUTS, runs);
        instances.add(made);
        return made;
    }

    private static ClaimRef ref(String order) {
        return new KeyDigests(Samples.SECRET).refOf(ClaimMode.LEASED, Instance.CHARGE.key("acme", order));
    }
}
