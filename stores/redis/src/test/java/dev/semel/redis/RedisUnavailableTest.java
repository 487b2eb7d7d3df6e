// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import static dev.semel.redis.Samples.HOUR;
import static dev.semel.redis.Samples.LONG_TIMEOUTS;
import static dev.semel.redis.Samples.SECRET;
import static dev.semel.redis.Samples.entry;
import static dev.semel.redis.Samples.freshKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.key.Secrets;
import dev.semel.replay.ReplayCache;
import dev.semel.replay.SharedReplayCache.Found;
import dev.semel.testservers.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Row 32 of docs/failures.md: Redis is down, silent, full or rejects the login. Costs are counted, not timed. */
class RedisUnavailableTest {
    /** After its first failures Redis stays disabled for the rest of a test. */
    private static final RedisOptions ALONE_FOR_LONG =
            LONG_TIMEOUTS.withBreaker(3, Duration.ofMinutes(10), Duration.ofMinutes(10));

    private final RedisServer server = RedisServer.start(Map.of("appendonly", "no"));
    private RedisReplayCache cache;

    @AfterEach
    void close() {
        cache.close();
        server.close();
    }

    @Test
    void row32_startsWithoutRedisAndUsesItOnceItIsAvailable() {
        server.kill();
        cache = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), LONG_TIMEOUTS);
        await().until(() -> cache.attempts() > 3);
        assertThat(cache.health()).isInstanceOf(RedisHealth.Degraded.class);
        assertThat(find(freshKey())).isEmpty();

        server.restart();

        awaitUse();
    }

    @Test
    void row32_aRedisThatIsDownCostsNoFutureAndNoCommand() {
        cache = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), ALONE_FOR_LONG);
        awaitUse();

        server.kill();
        await().until(() -> cache.health() instanceof RedisHealth.Degraded);

        assertCostsNothing();
        assertThat(cache.attempts()).isEqualTo(1);
        RedisHealth.Degraded health = (RedisHealth.Degraded) cache.health();
        assertThat(health.reason()).isEqualTo("the connection broke");
        assertThat(health.since()).isLessThan(Duration.ofHours(1)).isPositive();
    }

    @Test
    void row32_redisIsUsedAgainWhenItRecovers() {
        cache = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), LONG_TIMEOUTS);
        awaitUse();

        server.kill();
        await().until(() -> cache.health() instanceof RedisHealth.Degraded);
        server.restart();

        awaitUse();
    }

    @Test
    void row32_aSilentRedisBlocksNoCallerAndIsSoonDisabled() throws Exception {
        try (FrozenNetwork network = new FrozenNetwork(server)) {
            cache = RedisReplayCache.connect(
                    network.uri(server),
                    Secrets.of(SECRET),
                    ALONE_FOR_LONG.withTimeouts(Duration.ofMillis(200), Duration.ofSeconds(5)));
            awaitUse();

            network.freeze();
            for (int i = 0; i < ALONE_FOR_LONG.failures(); i++) {
                assertThat(cache.find(freshKey()).toCompletableFuture().get(10, TimeUnit.SECONDS))
                        .isEmpty();
            }

            assertThat(((RedisHealth.Degraded) cache.health()).reason()).isEqualTo("no answer in time");
            assertThat(cache.failures()).isGreaterThanOrEqualTo(ALONE_FOR_LONG.failures());
            assertCostsNothing();
        }
    }

    @Test
    void row32_aSilentRedisIsUsedAgainWhenItRecovers() throws Exception {
        try (FrozenNetwork network = new FrozenNetwork(server)) {
            cache = RedisReplayCache.connect(
                    network.uri(server),
                    Secrets.of(SECRET),
                    LONG_TIMEOUTS.withTimeouts(Duration.ofMillis(200), Duration.ofMillis(500)));
            awaitUse();
            network.freeze();
            await().until(() -> {
                find(freshKey());
                return cache.health() instanceof RedisHealth.Degraded;
            });
            long attempts = cache.attempts();
            await().until(() -> cache.attempts() > attempts + 1);

            network.unfreeze();

            awaitUse();
        }
    }

    /** A delayed command does not keep its entry longer than the store keeps the claim. */
    @Test
    void anEntryThatArrivesLateIsNotKeptLonger() throws Exception {
        ReplayCache.Key key = freshKey();
        SealedEntries names = new SealedEntries(SECRET, LONG_TIMEOUTS.keyPrefix());
        cache = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), LONG_TIMEOUTS);
        awaitUse();
        try (RawRedis raw = new RawRedis(server)) {
            long put = System.nanoTime();
            signal("STOP");
            cache.put(key, entry("paid"), Duration.ofSeconds(1));
            await().until(() ->
                    System.nanoTime() - put > Duration.ofMillis(1_500).toNanos());
            signal("CONT");

            // Redis answers in order: after this answer, the late entry has arrived.
            assertThat(find(freshKey())).isEmpty();
            assertThat(cache.commands()).isGreaterThan(1);
            assertThat(raw.commands().exists(names.name(key))).isZero();
        }
    }

    @Test
    void row32_aFullRedisIsDisabled() {
        cache = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), ALONE_FOR_LONG);
        awaitUse();
        try (RawRedis raw = new RawRedis(server)) {
            raw.commands().configSet("maxmemory", "1");

            await().until(() -> {
                cache.put(freshKey(), entry("paid"), HOUR);
                find(freshKey());
                return cache.health() instanceof RedisHealth.Degraded;
            });
        }
        assertThat(((RedisHealth.Degraded) cache.health()).reason()).isEqualTo("Redis answers OOM");
    }

    @Test
    void row32_aWrongPasswordIsReportedWithoutShowingIt() {
        cache = RedisReplayCache.connect(
                "redis://:hunter2@127.0.0.1:" + server.port(), Secrets.of(SECRET), ALONE_FOR_LONG);

        await().untilAsserted(() ->
                assertThat(((RedisHealth.Degraded) cache.health()).reason()).isEqualTo("Redis answers WRONGPASS"));
        assertCostsNothing();
    }

    @Test
    void aClosedCacheFindsNothing() {
        cache = RedisReplayCache.connect(server.uri(), Secrets.of(SECRET), LONG_TIMEOUTS);
        awaitUse();

        cache.close();

        assertCostsNothing();
        assertThat(((RedisHealth.Degraded) cache.health()).reason()).isEqualTo("closed");
    }

    private void assertCostsNothing() {
        long commands = cache.commands();
        long skipped = cache.skipped();
        CompletionStage<Optional<Found>> first = cache.find(freshKey());
        for (int i = 0; i < 10_000; i++) {
            assertThat((Object) cache.find(freshKey())).isSameAs(first);
            cache.put(freshKey(), entry("paid"), HOUR);
        }
        assertThat(first.toCompletableFuture()).isCompletedWithValue(Optional.empty());
        assertThat(cache.commands()).isEqualTo(commands);
        assertThat(cache.skipped()).isEqualTo(skipped + 10_001);
    }

    private void awaitUse() {
        ReplayCache.Key key = freshKey();
        await().until(() -> {
            cache.put(key, entry("paid"), HOUR);
            return find(key).isPresent();
        });
        assertThat(cache.health()).isInstanceOf(RedisHealth.Up.class);
    }

    private Optional<Found> find(ReplayCache.Key key) {
        CompletableFuture<Optional<Found>> asked = cache.find(key).toCompletableFuture();
        try {
            return asked.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("A cache must always answer", e);
        }
    }

    private void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-s", name, Long.toString(server.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }
}
