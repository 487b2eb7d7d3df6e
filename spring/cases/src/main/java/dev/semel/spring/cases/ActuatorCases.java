// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replay.SharedReplayCache;
import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Health, info, and the cache in the application's Redis. */
public abstract class ActuatorCases {
    /** How many replays came from Redis. */
    protected abstract long hits(SharedReplayCache cache);

    private static HttpResponse<String> get(RunningShop running, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + running.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    /** Spring Boot 3 and 4 write the members in different orders. */
    private static String ordered(String health) {
        return health.replaceAll(
                "\\{\"details\":(\\{[^{}]*}),\"status\":\"UP\"}", "{\"status\":\"UP\",\"details\":$1}");
    }

    @Test
    void healthAndInfoShowTheStore() throws Exception {
        assertThat(ordered(get(SharedShop.get(), "/actuator/health").body()))
                .contains("\"semel\":{\"status\":\"UP\",\"details\":{\"store\":\"database, own pool of 4\"}}");
        assertThat(get(SharedShop.get(), "/actuator/info").body()).contains("\"semel\":{\"store\":");
    }

    @Test
    void claimsAreCounted() {
        RunningShop running = SharedShop.get();
        running.shop().once("counted");
        running.shop().once("counted");

        assertThat(running.bean(MeterRegistry.class)
                        .get("idempotency.hit")
                        .tag("outcome", "succeeded")
                        .counters())
                .anyMatch(counter -> counter.count() > 0);
    }

    @Test
    void healthIsDownWithoutTheDatabase() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                ShopDatabase database = new ShopDatabase(server);
                RunningShop running = RunningShop.start(
                        database, "semel.store-timeout=1s", "spring.datasource.hikari.connection-timeout=1000")) {
            server.kill();
            HttpResponse<String> health = get(running, "/actuator/health/semel");

            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("\"status\":\"DOWN\"").doesNotContain(server.password());
            assertThat(Call.to(running, "/payments", "{}").key("a").send().statusCode())
                    .isEqualTo(503);
        }
    }

    @Test
    void replaysComeFromTheApplicationsRedis() throws Exception {
        RedisServer redis = RedisServer.shared();
        String[] properties = {
            "semel.redis.enabled=true",
            "spring.data.redis.host=127.0.0.1",
            "spring.data.redis.port=" + redis.port(),
            "spring.data.redis.password=" + redis.password()
        };
        try (ShopDatabase database = new ShopDatabase();
                RunningShop first = RunningShop.start(database, properties);
                RunningShop second = RunningShop.start(database, properties)) {
            // The caches connect in the background, so the first answers may be stored before they have.
            Awaitility.await().untilAsserted(() -> {
                String id = "r-" + System.nanoTime();
                first.shop().once(id);
                assertThat(second.shop().once(id)).isEqualTo("done " + id);
                assertThat(hits(second.bean(SharedReplayCache.class))).isPositive();
            });
        }
    }
}
