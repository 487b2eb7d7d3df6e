// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secret;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.spi.Snapshot;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"memory", "sqlite"})
class CleanupTest {
    private static final KeyDigests DIGESTS = new KeyDigests(Secret.of("the secret of this test, for tests only"));
    private static final Duration DAY = Duration.ofDays(1);
    private static final Terms SHORT = Terms.DEFAULT.withTtl(Duration.ofMillis(1));

    @Parameter
    String kind;

    @TempDir
    Path folder;

    private ClaimStore store;

    /** The same data, as another process sees it. */
    private ClaimStore second;

    private final List<SweepReport> swept = new ArrayList<>();
    private final ClaimListener listener = new ClaimListener() {
        @Override
        public void onClaim(ClaimEvent event) {}

        @Override
        public void onSweep(SweepReport report) {
            swept.add(report);
        }
    };

    @BeforeEach
    void open() {
        if (kind.equals("memory")) {
            store = new MemoryClaimStore();
            second = store;
        } else {
            store = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
            second = JdbcClaimStore.sqlite(folder.resolve("claims.db"));
        }
    }

    @AfterEach
    void close() {
        if (store instanceof JdbcClaimStore jdbc && second instanceof JdbcClaimStore other) {
            jdbc.close();
            other.close();
        }
    }

    private Cleanup cleanup(ClaimStore of, CleanupTask... tasks) {
        return Cleanup.of(of, Duration.ZERO, null, List.of(tasks), List.of(listener));
    }

    private static ClaimRef ref(int number) {
        return DIGESTS.refOf(ClaimMode.LEASED, new ClaimKey("acme", "pay", "order-" + number));
    }

    /** Makes claims that have expired when this returns. */
    private void expired(int number) {
        for (int from = 0; from < number; from += 1_000) {
            List<Command.Insert> inserts = new ArrayList<>();
            for (int i = from; i < Math.min(number, from + 1_000); i++) {
                inserts.add(insert(ref(i), SHORT));
            }
            store.apply(inserts);
            Map<ClaimRef, Snapshot> seen =
                    store.read(inserts.stream().map(Command.Insert::ref).toList());
            store.apply(seen.values().stream()
                    .map(claim -> settle(claim, Status.SUCCEEDED))
                    .toList());
        }
        await(() -> ((ClaimBrowser) store).due(number + 1) == number);
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("30 seconds are over").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private JobLeases jobs() {
        return (JobLeases) store;
    }

    @Test
    void nothingToDoIsAReportOfNothing() {
        CleanupReport report = cleanup(store).run(Duration.ZERO).orElseThrow();

        assertThat(report.rows()).isZero();
        assertThat(report.complete()).isTrue();
        assertThat(swept).hasSize(1);
        assertThat(cleanup(second).last().orElseThrow().report()).contains("\"complete\":true");
    }

    @Test
    void tenThousandExpiredClaimsAreDeletedAndOthersStay() {
        expired(10_000);
        store.apply(List.of(insert(ref(10_000))));
        assertThat(cleanup(store).backlog(1_000)).as("counted up to a limit").isEqualTo(1_000);

        CleanupReport report = cleanup(second).run(Duration.ZERO).orElseThrow();

        assertThat(report.claims()).isEqualTo(10_000);
        assertThat(report.complete()).isTrue();
        assertThat(swept).singleElement().extracting(SweepReport::deleted).isEqualTo(10_000);
        assertThat(cleanup(store).backlog(1_000)).isZero();
        assertThat(store.read(List.of(ref(10_000)))).hasSize(1);
        assertThat(cleanup(store).run(Duration.ZERO).orElseThrow().rows())
                .as("repeated")
                .isZero();
    }

    @Test
    void historyAndFurtherTasksAreDeletedInBatches() {
        HistoryStore history = (HistoryStore) store;
        history.add(List.of(HistoryEntry.of(HistoryEntry.Kind.TAKEN_OVER, ref(1), "pay", 2, null)));
        await(() -> !history.history(ref(1), 10).isEmpty());
        AtomicInteger left = new AtomicInteger(1_200);
        CleanupTask task = new CleanupTask(
                "old_rows",
                limit -> {
                    int deleted = Math.min(limit, left.get());
                    left.addAndGet(-deleted);
                    return deleted;
                },
                limit -> Math.min(limit, left.get()));
        Cleanup cleanup = cleanup(store, task);
        assertThat(cleanup.backlogOfTasks(1_000)).isEqualTo(Map.of("old_rows", 1_000L));

        CleanupReport report = cleanup.run(Duration.ZERO).orElseThrow();

        assertThat(report.others()).isEqualTo(Map.of("old_rows", 1_200L));
        assertThat(report.history()).isEqualTo(1);
        assertThat(report.rows()).isEqualTo(1_201);
        assertThat(report.text()).contains("1200 old rows").doesNotContain("left");
        assertThat(cleanup.last().orElseThrow().report()).contains("\"old_rows\":1200");
    }

    @Test
    void oneOfTwoProcessesRuns() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Cleanup first = cleanup(store, new CleanupTask("waits", limit -> waited(runs, mayEnd), limit -> 0));
        CompletableFuture<Optional<CleanupReport>> running =
                CompletableFuture.supplyAsync(() -> first.run(Duration.ZERO));
        assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();

        assertThat(cleanup(second).run(Duration.ZERO)).as("another one runs").isEmpty();
        mayEnd.countDown();

        assertThat(running.get(30, TimeUnit.SECONDS)).isPresent();
        assertThat(cleanup(second).run(DAY)).as("started too recently").isEmpty();
        assertThat(cleanup(second).run(Duration.ZERO)).isPresent();
    }

    private static int waited(CountDownLatch runs, CountDownLatch mayEnd) {
        runs.countDown();
        try {
            assertThat(mayEnd.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    /** A host has few threads for requests that block. */
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

    /** A killed process leaves a lease that ends by itself, and a run without an end. */
    @Test
    void aKilledHolderIsFollowedWhenItsLeaseEnds() {
        assertThat(jobs().start(Cleanup.JOB, "killed", DAY, Duration.ZERO)).isTrue();
        assertThat(cleanup(second).run(Duration.ZERO)).isEmpty();
        assertThat(jobs().extend(Cleanup.JOB, "killed", Duration.ofMillis(1))).isTrue();

        await(() -> cleanup(second).run(Duration.ZERO).isPresent());

        assertThat(cleanup(store).last().orElseThrow().endedAt()).isNotNull();
    }

    @Test
    void aRunThatLostItsLeaseDeletesNothingMore() {
        expired(1_200);
        AtomicInteger later = new AtomicInteger();
        Cleanup cleanup = cleanup(
                new LosingStore(store).asStore(),
                new CleanupTask("later", limit -> later.incrementAndGet(), limit -> 0));

        CleanupReport report = cleanup.run(Duration.ZERO).orElseThrow();

        assertThat(report.claims()).as("one batch").isEqualTo(500);
        assertThat(report.complete()).isFalse();
        assertThat(later).hasValue(0);
        assertThat(swept).singleElement().extracting(SweepReport::deleted).isEqualTo(500);
    }

    @Test
    void aStoppedRunEndsAfterItsBatchAndStartsNoOther() {
        AtomicInteger batches = new AtomicInteger();
        Cleanup[] cleanup = new Cleanup[1];
        cleanup[0] = cleanup(
                store,
                new CleanupTask(
                        "endless",
                        limit -> {
                            if (batches.incrementAndGet() == 3) {
                                cleanup[0].stop();
                            }
                            return limit;
                        },
                        limit -> 0));

        CleanupReport report = cleanup[0].run(Duration.ZERO).orElseThrow();

        assertThat(batches).hasValue(3);
        assertThat(report.complete()).isFalse();
        assertThat(report.text()).contains("rows may be left");
        assertThat(cleanup[0].run(Duration.ZERO)).isEmpty();
        assertThat(cleanup(second).run(Duration.ZERO))
                .as("the lease was given back")
                .isPresent();
    }

    @Test
    void anInterruptedRunEndsAfterItsBatch() {
        Cleanup cleanup = cleanup(
                store,
                new CleanupTask(
                        "endless",
                        limit -> {
                            Thread.currentThread().interrupt();
                            return limit;
                        },
                        limit -> 0));

        assertThat(cleanup.run(Duration.ZERO).orElseThrow().complete()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(cleanup(second).run(Duration.ZERO)).isPresent();
    }

    @Test
    void aFailedTaskFailsTheRunAndGivesTheLeaseBack() {
        expired(2);
        Cleanup cleanup = cleanup(
                store,
                new CleanupTask(
                        "fails",
                        limit -> {
                            throw new StoreException(StoreException.Kind.UNREACHABLE, "no database");
                        },
                        limit -> 0));

        assertThatThrownBy(() -> cleanup.run(Duration.ZERO)).isInstanceOf(StoreException.class);

        assertThat(cleanup.last().orElseThrow().report()).contains("\"claims\":2", "\"complete\":false");
        assertThat(swept).singleElement().extracting(SweepReport::deleted).isEqualTo(2);
        assertThat(cleanup(second).run(Duration.ZERO)).isPresent();
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

    /** A library of another version, for example. The lease is given back, and the next caller is not left without an answer. */
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

    /** A negative age would delete the whole history. */
    @Test
    void agesOutOfRangeAreRefused() {
        for (Duration age : List.of(Duration.ofMillis(-1), Duration.ofDays(36_501))) {
            assertThatThrownBy(() -> Cleanup.of(store, age, null, List.of(), List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0 to 36,500 days");
            assertThatThrownBy(() -> Cleanup.of(store, DAY, age, List.of(), List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
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
