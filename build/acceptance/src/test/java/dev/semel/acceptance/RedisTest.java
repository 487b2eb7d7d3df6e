// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis makes responses faster. It never decides about them. */
@BlackBox
@Order(1)
class RedisTest {
    private static final int BETWEEN = 150;
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private static RedisServer redis;
    private static RunningServer first;
    private static RunningServer second;

    @BeforeAll
    static void twoInstancesAndARedis() {
        // It writes a dump when it is stopped, and loses everything since the last dump when it is killed.
        redis = RedisServer.start(Map.of("appendonly", "no", "save", "3600 1"));
        Configuration configuration = Configuration.development();
        Database database = Database.on(PostgresServer.shared());
        first = RunningServer.start(Environment.launch(configuration, database, redis), configuration, database);
        second = first.second();
    }

    @AfterAll
    static void close() {
        second.close();
        first.close();
        redis.close();
    }

    /** After Redis was killed, the instances use it again only after some time. */
    @BeforeEach
    void aRedisThatBothInstancesUse() {
        redis.restart();
        Awaitility.await().atMost(LONG).until(() -> isHealthy(first) && isHealthy(second));
    }

    private static boolean isHealthy(RunningServer server) {
        return server.nobody().get("/health").get("status").equals("up");
    }

    @Test
    void sharesReplaysBetweenInstances() {
        Configuration.Site site = first.configuration().signingSite();
        // The second instance has never seen the call, so its answer comes from Redis. An idle instance reads the epoch
        // from the database before it uses a cache again, and does not wait for a slow one. Then the unique index
        // answers, and the next call is tried.
        Awaitility.await().atMost(LONG).until(() -> {
            Ask ask = Calls.signed(site, Calls.body(site.id()));
            Answer inserted = first.nobody().send(ask);
            Answer elsewhere = second.nobody().send(ask);
            CallEventsTest.isNoop(elsewhere, inserted);
            return elsewhere.get("reason").equals("replay_cache");
        });
        assertThat(second.nobody().get("/metrics").text())
                .as("hits are counted by tier")
                .containsPattern("idempotency_cache_total\\{result=\"hit\",tier=\"shared\"} [1-9]");
    }

    @Test
    void findsARepeatByTheIndexWhenRedisDied() {
        Configuration.Site site = first.configuration().signingSite();
        Ask ask = Calls.signed(site, Calls.body(site.id()));
        Answer inserted = first.nobody().send(ask);
        redis.kill();
        Answer elsewhere = second.nobody().send(ask);
        CallEventsTest.isNoop(elsewhere, inserted);
        assertThat(elsewhere.get("reason")).isEqualTo("idempotent_conflict");
        assertThat(second.nobody().get("/health/ready").status()).isEqualTo(200);
        assertThat(second.nobody().get("/health").text()).containsIgnoringCase("degraded");
    }

    @Test
    void startsWithoutARedis() {
        redis.kill();
        try (RunningServer third = first.second()) {
            Caller caller = third.caller();
            JsonObject body = Claims.fresh();
            Claims.succeed(caller, Claims.granted(caller, body), "done");
            assertThat(Claims.claim(caller, body).get("result")).isEqualTo("done");
        }
    }

    @Test
    void changesNoAnswerWhenKilledAndRestoredFromAnOldDumpUnderLoad() throws IOException {
        Path dump = redis.dataDirectory().resolve("dump.rdb");
        Path old = folder.resolve("old.rdb");
        try (Load load = new Load(List.of(first, second), false)) {
            load.start();
            load.awaitMore(BETWEEN);
            redis.restart();
            Files.copy(dump, old);
            load.awaitMore(BETWEEN);
            redis.kill();
            load.awaitMore(BETWEEN);
            Files.copy(old, dump, StandardCopyOption.REPLACE_EXISTING);
            redis.restart();
            load.awaitMore(BETWEEN);
            load.stop();
            load.verify();
        }
    }

    @Test
    void doesNotReplayAnOldResultOutOfAnOldDump() throws IOException {
        Caller here = first.caller();
        JsonObject body = Claims.fresh();
        JsonObject failing = Claims.granted(here, body);
        Claims.fail(here, failing, true);
        JsonObject expiring = Claims.fresh().put("ttl_seconds", 1);
        Claims.succeed(here, Claims.granted(here, expiring), "old");
        redis.restart();
        Path dump = redis.dataDirectory().resolve("dump.rdb");
        Path old = Files.copy(dump, folder.resolve("old.rdb"));

        Claims.succeed(here, Claims.granted(here, body), "new");
        JsonObject again = Awaitility.await()
                .atMost(LONG)
                .until(() -> Claims.claim(here, expiring), answer -> answer.status() == 201)
                .json();
        Claims.succeed(here, again, "new");
        redis.kill();
        Files.copy(old, dump, StandardCopyOption.REPLACE_EXISTING);
        redis.restart();

        for (RunningServer instance : List.of(first, second)) {
            Caller caller = instance.here(here);
            assertThat(Claims.claim(caller, body).get("result")).isEqualTo("new");
            Answer answer = Claims.claim(caller, expiring);
            assertThat(answer.text()).doesNotContain("old");
        }
    }
}
