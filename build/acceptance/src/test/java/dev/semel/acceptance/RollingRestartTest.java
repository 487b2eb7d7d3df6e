// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances over one PostgreSQL act as one, also while they are replaced one after the other: no request fails, nothing
 * is lost and nothing happens twice. One round in the profile {@code slow}, three with {@code -Dsemel.rolls=3}.
 */
@BlackBox
@Tag("slow")
@Order(2)
class RollingRestartTest {
    private static final int ROUNDS = Integer.getInteger("semel.rolls", 1);
    private static final int BETWEEN = 40;

    @Test
    void noRequestFailsWhileInstancesAreReplaced() {
        try (RunningServer first = Environment.POSTGRES.fresh(Configuration.development());
                RunningServer second = first.second();
                RunningServer third = first.second()) {
            List<RunningServer> instances = List.of(first, second, third);
            try (Balancer balancer = new Balancer(instances);
                    Load load = new Load(instances, balancer)) {
                load.start();
                for (int round = 0; round < ROUNDS; round++) {
                    instances.forEach(instance -> replace(instance, balancer, load));
                }
                load.awaitMore(BETWEEN);
                load.stop();
                load.verify();
            }
            cleanUpOnOneInstance(instances);
        }
    }

    private static void replace(RunningServer instance, Balancer balancer, Load load) {
        load.awaitMore(BETWEEN);
        assertThat(instance.process().terminate()).as("exit code").isZero();
        load.awaitMore(BETWEEN);
        instance.process().start();
        await("the balancer sees it").atMost(Duration.ofMinutes(1)).until(() -> balancer.knowsAsReady(instance));
    }

    /** All instances are asked at the same time. Each run deletes what was due, and all show the same last run. */
    private static void cleanUpOnOneInstance(List<RunningServer> instances) {
        instances.get(0).database().execute("UPDATE idempotency_keys SET expires_at = created_at, due_at = created_at");
        long due = instances.get(0).database().count("SELECT count(*) FROM idempotency_keys WHERE due_at <= now()");
        assertThat(due).isPositive();

        List<JsonObject> answers = instances.parallelStream()
                .map(instance ->
                        instance.nobody().post("/v1/cleanup", new JsonObject()).json())
                .toList();

        long deleted = answers.stream()
                .flatMap(answer -> Stream.ofNullable(answer.getJsonObject("report")))
                .mapToLong(report -> report.getLong("claims"))
                .sum();
        assertThat(deleted).as("%s", answers).isEqualTo(due);
        assertThat(instances.stream()
                        .map(instance ->
                                instance.nobody().get("/v1/cleanup").json().getJsonObject("last_run"))
                        .distinct())
                .hasSize(1);
    }
}
