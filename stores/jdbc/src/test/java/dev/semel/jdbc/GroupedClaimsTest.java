// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;

/** Keys and rows of many callers in one commit, on every database. */
@ParameterizedClass
@EachDatabase
@Timeout(120)
class GroupedClaimsTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> POST = Operation.of("post", Codec.text());
    private static final Operation<String> WAITING = POST.waitingUpTo(Duration.ofSeconds(60));

    private final DatabaseKind kind;

    @TempDir
    private Path folder;

    private ClaimDatabase database;
    private Effects effects;
    private TransactionalClaims claims;
    private TransactionalClaims elsewhere;

    GroupedClaimsTest(DatabaseKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        database = ClaimDatabase.of(kind, folder.resolve("claims.db"));
        claims = TransactionalClaims.on(database.store(4), SECRETS);
        elsewhere = TransactionalClaims.on(database.store(4), SECRETS);
        effects = Effects.in(database);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    private GroupedClaims<String, String> group(TransactionalClaims on, Operation<String> operation) {
        return database.closing(GroupedClaims.on(on, operation, Effects::addAll));
    }

    private static Outcome<String> submitted(GroupedClaims<String, String> group, String key, String row) {
        return group.submit(POST.key("acme", key), row, "posted " + row)
                .toCompletableFuture()
                .join();
    }

    @Test
    void aRowIsWrittenOnce_andEveryLaterCallerGetsTheStoredResult() {
        GroupedClaims<String, String> group = group(claims, POST);

        assertThat(submitted(group, "key", "one")).isEqualTo(new Outcome.Succeeded<>("posted one", false));
        assertThat(submitted(group, "key", "two")).isEqualTo(new Outcome.Succeeded<>("posted one", true));
        assertThat(effects.counts()).isEqualTo(Map.of("one", 1));
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 1));
    }

    @Test
    void itSharesItsKeysWithTransactionalClaims() {
        submitted(group(claims, POST), "key", "one");

        assertThat(claims.inTransaction(POST, POST.key("acme", "key"), (connection, run) -> "another"))
                .isEqualTo(new Outcome.Succeeded<>("posted one", true));
    }

    @Test
    void anotherRequestUnderTheSameKeyIsAMismatch() {
        GroupedClaims<String, String> group = group(claims, POST);
        group.submit(POST.key("acme", "key"), Fingerprint.of("one"), "one", "posted")
                .toCompletableFuture()
                .join();

        assertThat(group.submit(POST.key("acme", "key"), Fingerprint.of("other"), "other", "posted")
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new Outcome.Mismatch<>(Fingerprint.of("one")));
        assertThat(effects.counts()).isEqualTo(Map.of("one", 1));
    }

    @Test
    void callersThatRaceOverTwoInstancesWriteEachRowOnce() {
        List<GroupedClaims<String, String>> instances = List.of(group(claims, WAITING), group(elsewhere, WAITING));
        List<String> keys = IntStream.range(0, 400).mapToObj(i -> "key-" + i).toList();
        List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int caller = 0; caller < 8; caller++) {
            GroupedClaims<String, String> group = instances.get(caller % 2);
            List<String> mine = new ArrayList<>(keys);
            Collections.shuffle(mine, new Random(caller));
            List<CompletableFuture<Outcome<String>>> own = new ArrayList<>();
            callers.add(CompletableFuture.runAsync(
                    () -> {
                        for (String key : mine) {
                            own.add(group.submit(POST.key("acme", key), key, "posted " + key)
                                    .toCompletableFuture());
                        }
                        own.forEach(CompletableFuture::join);
                        synchronized (answers) {
                            answers.addAll(own);
                        }
                    },
                    task -> new Thread(task).start()));
        }
        callers.forEach(CompletableFuture::join);

        assertThat(effects.counts()).isEqualTo(keys.stream().collect(Collectors.toMap(key -> key, key -> 1)));
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 400));
        assertThat(answers).hasSize(3_200).allMatch(answer -> answer.join() instanceof Outcome.Succeeded);
        assertThat(answers.stream().filter(answer -> !((Outcome.Succeeded<String>) answer.join()).replayed()))
                .hasSize(400);
    }

    /** The effect delays the first batch until a hundred rows wait behind it, so that they are written together. */
    @Test
    void aPoisonedRowFailsAlone() throws Exception {
        CountDownLatch collected = new CountDownLatch(1);
        AtomicInteger largest = new AtomicInteger();
        GroupedClaims<String, String> group = database.closing(GroupedClaims.on(claims, POST, (connection, rows) -> {
            await(collected);
            largest.accumulateAndGet(rows.size(), Math::max);
            Effects.addAll(connection, rows);
        }));
        List<CompletableFuture<Outcome<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            String row = i == 63 ? "poison" : "row-" + i;
            answers.add(group.submit(POST.key("acme", "key-" + i), row, row).toCompletableFuture());
        }
        collected.countDown();

        for (int i = 0; i < 100; i++) {
            if (i == 63) {
                assertThat(answers.get(i).join())
                        .isInstanceOfSatisfying(
                                Outcome.Retryable.class,
                                failed -> assertThat(failed.cause()).isInstanceOf(SQLException.class));
            } else {
                assertThat(answers.get(i).join()).isEqualTo(new Outcome.Succeeded<>("row-" + i, false));
            }
        }
        assertThat(largest).as("rows in one batch").hasValueGreaterThan(10);
        assertThat(effects.counts()).hasSize(99).doesNotContainKey("poison");
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 99, "RETRYABLE", 1));
        assertThat(submitted(group, "key-63", "healed")).isEqualTo(new Outcome.Succeeded<>("posted healed", false));
    }

    @Test
    void aFailureThatIsFinalIsStored() {
        GroupedClaims<String, String> group = group(claims, POST.classifyingFailures(failure -> FailureClass.FINAL));

        assertThat(submitted(group, "key", "poison")).isInstanceOf(Outcome.Failed.class);
        assertThat(submitted(group, "key", "good"))
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.replayed()).isTrue());
        assertThat(effects.counts()).isEmpty();
    }

    @Test
    void anErrorOfTheEffectReachesItsCallers_andNothingStays() {
        GroupedClaims<String, String> group = database.closing(GroupedClaims.on(claims, POST, (connection, rows) -> {
            Effects.addAll(connection, rows);
            throw new AssertionError("a bug");
        }));

        assertThatThrownBy(() -> submitted(group, "key", "row")).hasStackTraceContaining("a bug");
        assertThat(effects.counts()).isEmpty();
        assertThat(effects.claims()).isEmpty();
        assertThat(submitted(group(claims, POST), "key", "row")).isInstanceOf(Outcome.Succeeded.class);
    }

    @Test
    void anExpiredResultCountsAsAbsent() {
        Operation<String> shortly = POST.withTtl(Duration.ofHours(1));
        GroupedClaims<String, String> group = group(claims, shortly);
        submitted(group, "key", "old");
        database.age(claims.refOf(shortly, POST.key("acme", "key")), Duration.ofHours(2));

        assertThat(submitted(group, "key", "new")).isEqualTo(new Outcome.Succeeded<>("posted new", false));
        assertThat(effects.counts()).isEqualTo(Map.of("old", 1, "new", 1));
    }

    @Test
    void row13a_aKeyInAnOpenTransactionDelaysOnlyItself() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        GroupedClaims<String, String> withoutWaiting = group(claims, POST);
        GroupedClaims<String, String> group = group(claims, WAITING);
        try (Connection connection = database.connect()) {
            // Under REPEATABLE READ, MariaDB can lock the gap before the key too: see docs/databases.md.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            elsewhere.execute(connection, POST, POST.key("acme", "held"), run -> "held");

            CompletableFuture<Outcome<String>> waiting =
                    group.submit(POST.key("acme", "held"), "late", "late").toCompletableFuture();
            List<CompletableFuture<Outcome<String>>> others = IntStream.range(0, 500)
                    .mapToObj(i -> withoutWaiting
                            .submit(POST.key("acme", "key-" + i), "row-" + i, "posted")
                            .toCompletableFuture())
                    .toList();
            assertThat(submitted(withoutWaiting, "held", "late")).isInstanceOf(Outcome.InProgress.class);
            assertThat(others).allMatch(other -> other.join() instanceof Outcome.Succeeded);
            assertThat(waiting).isNotDone();

            connection.commit();
            assertThat(waiting.join()).isEqualTo(new Outcome.Succeeded<>("held", true));
        }
        assertThat(effects.counts()).hasSize(500);
    }

    @Test
    void waitingCallersAreAnsweredWhenItCloses() throws Exception {
        assumeTrue(kind != DatabaseKind.SQLITE, "SQLite has one writer");
        GroupedClaims<String, String> group = group(claims, WAITING);
        try (Connection connection = database.begin()) {
            elsewhere.execute(connection, POST, POST.key("acme", "held"), run -> "held");
            CompletableFuture<Outcome<String>> waiting =
                    group.submit(POST.key("acme", "held"), "late", "late").toCompletableFuture();

            group.close();

            assertThat(waiting.join()).isInstanceOfAny(Outcome.InProgress.class, Outcome.Unavailable.class);
            assertThat(submitted(group, "after", "after")).isInstanceOf(Outcome.Unavailable.class);
            connection.rollback();
        }
    }

    @Test
    void resultsThatAreTooLargeTogetherAreWrittenInParts() {
        Operation<byte[]> large = Operation.of("large", Codec.bytes());
        GroupedClaims<String, byte[]> group = database.closing(GroupedClaims.on(claims, large, Effects::addAll));
        byte[] result = new byte[2 * 1024 * 1024];
        List<CompletableFuture<Outcome<byte[]>>> answers = IntStream.range(0, 20)
                .mapToObj(i -> group.submit(large.key("acme", "key-" + i), "row-" + i, result)
                        .toCompletableFuture())
                .toList();

        assertThat(answers).allMatch(answer -> answer.join() instanceof Outcome.Succeeded);
        assertThat(effects.counts()).hasSize(20);
        assertThat(result.length).isLessThan(StoredResult.MAX_BYTES);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
