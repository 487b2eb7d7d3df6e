// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.Fingerprint;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Rows of many callers in one commit, during the rotation of their secret. */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class GroupedRotationTest {
    private static final Operation<String> POST = Operation.of("post", Codec.text());

    /** A slow batch is overtaken by the next one. Keys that are in both are then in progress for a while. */
    private static final Operation<String> WAITING = POST.waitingUpTo(Duration.ofSeconds(60));

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private JdbcClaimStore store;
    private List<TransactionalClaims> steps;
    private Effects effects;

    GroupedRotationTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        Path file = folder.resolve("claims.db");
        database = ClaimDatabase.of(kind, file);
        store = database.store(4);
        effects = Effects.in(database);
        steps = RotationSteps.steps(store);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private GroupedClaims<String, String> group(int step) {
        return database.closing(GroupedClaims.on(steps.get(step), POST, Effects::addAll));
    }

    private static Outcome<String> submitted(GroupedClaims<String, String> group, String key, String row) {
        return group.submit(POST.key("acme", key), row, row)
                .toCompletableFuture()
                .join();
    }

    @Test
    void rowsOfTheOldSecretAreReplayedAtEveryStep() {
        submitted(group(RotationSteps.BEFORE), "key", "first");
        for (int step = RotationSteps.ADDED; step <= RotationSteps.RETIRED; step++) {
            assertThat(submitted(group(step), "key", "again")).isEqualTo(new Outcome.Succeeded<>("first", true));
        }
        assertThat(effects.counts()).isEqualTo(Map.of("first", 1));
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isZero();
    }

    @Test
    void itSharesItsKeysWithTransactionalClaimsAtEveryStep() {
        for (int step = RotationSteps.ADDED; step <= RotationSteps.PROMOTED; step++) {
            String key = "key-" + step;
            submitted(group(step), key, key);
            for (int other = step - 1; other <= step + 1; other++) {
                assertThat(steps.get(other).inTransaction(POST, POST.key("acme", key), (connection, run) -> "another"))
                        .isEqualTo(new Outcome.Succeeded<>(key, true));
            }
        }
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch_alsoByAnotherSecret() {
        group(RotationSteps.BEFORE)
                .submit(POST.key("acme", "key"), Fingerprint.of("one"), "one", "one")
                .toCompletableFuture()
                .join();
        for (int step = RotationSteps.ADDED; step <= RotationSteps.RETIRED; step++) {
            assertThat(group(step)
                            .submit(POST.key("acme", "key"), Fingerprint.of("other"), "other", "other")
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("one")));
        }
        assertThat(effects.counts()).isEqualTo(Map.of("one", 1));
    }

    /** The effect delays the first batch until all rows wait behind it, so that they are written together. */
    @Test
    void oneBadRowFailsAlone_andEqualKeysAreWrittenOnce() {
        submitted(group(RotationSteps.BEFORE), "key-7", "early");
        CountDownLatch collected = new CountDownLatch(1);
        AtomicInteger largest = new AtomicInteger();
        GroupedClaims<String, String> group =
                database.closing(GroupedClaims.on(steps.get(RotationSteps.PROMOTED), WAITING, (connection, rows) -> {
                    await(collected);
                    largest.accumulateAndGet(rows.size(), Math::max);
                    Effects.addAll(connection, rows);
                }));
        List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String row = i == 23 ? "poison" : "row-" + i % 30;
            answers.add(
                    group.submit(POST.key("acme", "key-" + i % 30), row, row).toCompletableFuture());
        }
        collected.countDown();

        for (int i = 0; i < 60; i++) {
            Outcome<String> outcome = answers.get(i).join();
            if (i == 23) {
                assertThat(outcome)
                        .isInstanceOfSatisfying(
                                Outcome.Retryable.class,
                                failed -> assertThat(failed.cause()).isInstanceOf(SQLException.class));
            } else {
                assertThat(outcome.orElseThrow()).isEqualTo(i % 30 == 7 ? "early" : "row-" + i % 30);
            }
        }
        assertThat(largest).as("rows in one batch").hasValueGreaterThan(5);
        assertThat(effects.counts())
                .hasSize(30)
                .doesNotContainKey("poison")
                .allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
        assertThat(store.onlyFoundBy(RotationSteps.OLD.id())).isZero();
    }

    @Test
    void aKeyInAnOpenTransactionOfANeighbourDelaysOnlyItself() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        for (int step = RotationSteps.ADDED; step <= RotationSteps.RETIRED; step++) {
            GroupedClaims<String, String> group = group(step);
            String prefix = "step-" + step + "-";
            try (Connection connection = database.begin()) {
                steps.get(step - 1).execute(connection, POST, POST.key("acme", prefix + "held"), run -> "held");
                List<CompletableFuture<Outcome<String>>> others = IntStream.range(0, 20)
                        .mapToObj(i -> group.submit(POST.key("acme", prefix + i), prefix + i, "posted")
                                .toCompletableFuture())
                        .toList();

                assertThat(submitted(group, prefix + "held", "late")).isInstanceOf(Outcome.InProgress.class);
                assertThat(others).allMatch(other -> other.join() instanceof Outcome.Succeeded);
                connection.commit();
                assertThat(submitted(group, prefix + "held", "late")).isEqualTo(new Outcome.Succeeded<>("held", true));
            }
        }
        assertThat(effects.counts()).hasSize(60);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
