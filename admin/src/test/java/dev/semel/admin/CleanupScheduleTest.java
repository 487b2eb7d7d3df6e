// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.spi.JobLeases;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"memory", "sqlite"})
class CleanupScheduleTest extends CleanupCases {
    @Test
    void fewRequestsWaitForTheEndOfARun() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CleanupTask task = new CleanupTask("slow", limit -> waited(runs, mayEnd), limit -> 0);
        try (CleanupSchedule schedule =
                CleanupSchedule.start(cleanup(store, task), new CleanupTimes.Every(Duration.ofDays(31)))) {
            AdminRoute demand = new CleanupApi(schedule)
                    .routes().stream()
                            .filter(route -> route.method().equals("POST"))
                            .findFirst()
                            .orElseThrow();
            AdminRequest request = new AdminRequest("acme", "ann", true, Map.of(), Map.of(), new JsonObject(Map.of()));
            List<Thread> waiting = new ArrayList<>();
            List<CompletableFuture<Json>> answers = new ArrayList<>();
            for (int i = 0; i < CleanupApi.MAX_WAITING; i++) {
                CompletableFuture<Json> answer = new CompletableFuture<>();
                Thread thread =
                        new Thread(() -> answer.complete(demand.handler().answer(request)));
                thread.start();
                waiting.add(thread);
                answers.add(answer);
            }
            await(() -> waiting.stream().allMatch(one -> one.getState() == Thread.State.TIMED_WAITING));
            assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();

            Json further = demand.handler().answer(request);

            assertThat(answers).as("those who came first still wait").noneMatch(CompletableFuture::isDone);
            assertThat(new String(further.utf8(), StandardCharsets.UTF_8)).isEqualTo("{\"status\":\"running\"}");
            mayEnd.countDown();
            for (CompletableFuture<Json> answer : answers) {
                assertThat(new String(answer.get(30, TimeUnit.SECONDS).utf8(), StandardCharsets.UTF_8))
                        .contains("ended");
            }
        }
    }

    @Test
    void theScheduleRunsOnDemandAndByItself() throws Exception {
        expired(3);
        try (CleanupSchedule schedule =
                CleanupSchedule.start(cleanup(store), new CleanupTimes.Every(Duration.ofDays(1)))) {
            assertThat(schedule.runNow().get(30, TimeUnit.SECONDS).orElseThrow().claims())
                    .isEqualTo(3);
            assertThat(schedule.runNow().get(30, TimeUnit.SECONDS).orElseThrow().claims())
                    .isZero();
        }
        expired(2);
        await(() -> jobs().last(Cleanup.JOB).orElseThrow().endedAt() != null);
        String before = jobs().last(Cleanup.JOB).orElseThrow().holder();
        try (CleanupSchedule schedule =
                CleanupSchedule.start(cleanup(second), new CleanupTimes.Every(Duration.ofSeconds(1)))) {
            await(() -> {
                JobLeases.JobRun last = jobs().last(Cleanup.JOB).orElseThrow();
                return !last.holder().equals(before) && last.endedAt() != null;
            });
            assertThat(schedule.cleanup().backlog(10)).isZero();
        }
    }

    @Test
    void anErrorBlocksNoLaterRun() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CleanupTask broken = new CleanupTask(
                "broken",
                limit -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new NoSuchMethodError("of another version");
                    }
                    return 0;
                },
                limit -> 0);
        try (CleanupSchedule schedule =
                CleanupSchedule.start(cleanup(store, broken), new CleanupTimes.Every(Duration.ofDays(1)))) {
            assertThatThrownBy(() -> schedule.runNow().get(30, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(NoSuchMethodError.class);

            assertThat(schedule.runNow().get(30, TimeUnit.SECONDS).orElseThrow().complete())
                    .isTrue();
        }
    }

    @Test
    void aClosedScheduleAnswersCallersWithoutRunning() throws Exception {
        CleanupSchedule schedule = CleanupSchedule.start(cleanup(store), new CleanupTimes.Every(DAY));
        schedule.close();

        assertThat(schedule.runNow().get(30, TimeUnit.SECONDS)).isEmpty();
        assertThat(jobs().last(Cleanup.JOB)).isEmpty();
    }
}
