// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances over one PostgreSQL act as one, also while they are replaced one after the other: no request fails, nothing
 * is lost and nothing happens twice. Restarts are in the profile {@code slow}.
 */
@BlackBox
@Order(2)
class RollingRestartTest {
    private static final int ROUNDS = Integer.getInteger("semel.rolls", 3);
    private static final int BETWEEN = 40;

    /** Many times the pause between two probes of the balancer. */
    private static final String DRAIN_DELAY = "drain: {delay_seconds: 2}\n";

    @Test
    void threeInstancesActAsOne() {
        onThree(Configuration.development(), instances -> {
            try (Balancer balancer = Balancer.passingOn(instances);
                    Load load = new Load(instances, balancer)) {
                load.start();
                load.awaitMore(3 * BETWEEN);
                load.stop();
                load.verify();
            }
            cleanUpOnOneInstance(instances);
        });
    }

    /** The delay gives the balancer time to notice, so it need not send a request twice. */
    @Test
    @Tag("slow")
    void noRequestFailsBehindABalancerThatOnlyProbes() {
        onThree(Configuration.with(DRAIN_DELAY), instances -> restart(instances, Balancer.probing(instances)));
    }

    @Test
    @Tag("slow")
    void noRequestFailsBehindABalancerThatPassesRequestsOn() {
        onThree(Configuration.development(), instances -> restart(instances, Balancer.passingOn(instances)));
    }

    private static void onThree(Configuration configuration, Consumer<List<RunningServer>> work) {
        try (RunningServer first = Environment.POSTGRES.fresh(configuration);
                RunningServer second = first.second();
                RunningServer third = first.second()) {
            work.accept(List.of(first, second, third));
        }
    }

    private static void restart(List<RunningServer> instances, Balancer all) {
        try (Balancer balancer = all;
                Load load = new Load(instances, balancer)) {
            load.start();
            for (int round = 0; round < ROUNDS; round++) {
                instances.forEach(instance -> replace(instance, balancer, load));
            }
            load.awaitMore(BETWEEN);
            load.stop();
            load.verify();
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
        instances
                .get(0)
                .database()
                .execute(
                        "UPDATE idempotency_keys SET completed_at = created_at - ttl_micros * interval '1 microsecond', due_at = created_at");
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
