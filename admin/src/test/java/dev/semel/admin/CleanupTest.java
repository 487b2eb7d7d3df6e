// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import static dev.semel.testkit.Commands.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(strings = {"memory", "sqlite"})
class CleanupTest extends CleanupCases {
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
}
