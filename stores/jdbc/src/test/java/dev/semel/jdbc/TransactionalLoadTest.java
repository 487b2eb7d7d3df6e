// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Many callers, few connections, and transactions that stay open. */
@Timeout(120)
class TransactionalLoadTest {
    private static final Secrets SECRETS = Secrets.of("0123456789abcdef0123456789abcdef");
    private static final Operation<String> PAY =
            Operation.of("pay", Codec.text()).waitingUpTo(Duration.ofSeconds(60));

    @ParameterizedTest
    @EachDatabase
    void sixtyFourCallersOfTheSameKeys(DatabaseKind kind, @TempDir Path folder) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.of(kind, folder.resolve("claims.db"))) {
            race(database, database.store(16));
        }
    }

    private static void race(ClaimDatabase database, JdbcClaimStore store) throws Exception {
        Effects effects = Effects.in(database);
        TransactionalClaims claims = TransactionalClaims.on(store, SECRETS);
        List<String> keys = IntStream.range(0, 20).mapToObj(i -> "key-" + i).toList();
        List<List<Outcome<String>>> answers = Callers.together(
                64,
                caller -> keys.stream()
                        .map(key -> claims.inTransaction(PAY, PAY.key("acme", key), (connection, run) -> {
                            Effects.add(connection, key);
                            return key + " by " + caller;
                        }))
                        .toList());

        Map<String, Integer> once = keys.stream().collect(Collectors.toMap(key -> key, key -> 1));
        assertThat(effects.counts()).isEqualTo(once);
        assertThat(effects.claims()).isEqualTo(Map.of("SUCCEEDED", 20));
        for (int i = 0; i < keys.size(); i++) {
            int at = i;
            assertThat(answers.stream().map(all -> all.get(at).orElseThrow()).distinct())
                    .as("all answers for " + keys.get(i))
                    .hasSize(1);
            assertThat(answers.stream().filter(all -> !((Outcome.Succeeded<String>) all.get(at)).replayed()))
                    .as("who ran " + keys.get(i))
                    .hasSize(1);
        }
    }

    /** Row 14: fifty callers wait, and the four connections of the pool are free for others. */
    @Test
    void row14_aWaitingCallerHoldsNoConnection() throws Exception {
        try (ClaimDatabase database = ClaimDatabase.postgres(PostgresServer.shared())) {
            TransactionalClaims claims = TransactionalClaims.on(JdbcClaimStore.migrating(database.pool(4)), SECRETS);
            ClaimKey key = PAY.key("acme", "slow");
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch finish = new CountDownLatch(1);
            AtomicInteger others = new AtomicInteger();
            CompletableFuture<Outcome<String>> owner = CompletableFuture.supplyAsync(
                    () -> claims.inTransaction(PAY, key, (connection, run) -> {
                        running.countDown();
                        finish.await();
                        return "the one answer";
                    }),
                    task -> new Thread(task).start());
            running.await();
            List<List<Outcome<String>>> answers = Callers.together(51, caller -> {
                if (caller > 0) {
                    return List.of(claims.inTransaction(PAY, key, (connection, run) -> "another"));
                }
                // While fifty callers wait, others are served.
                for (int i = 0; i < 200; i++) {
                    claims.inTransaction(PAY, PAY.key("acme", "other-" + i), (connection, run) -> "fine")
                            .orElseThrow();
                    others.incrementAndGet();
                }
                finish.countDown();
                return List.of();
            });

            assertThat(others).hasValue(200);
            assertThat(owner.join()).isEqualTo(new Outcome.Succeeded<>("the one answer", false));
            assertThat(answers.stream().flatMap(List::stream))
                    .hasSize(50)
                    .allMatch(new Outcome.Succeeded<>("the one answer", true)::equals);
        }
    }

    @ParameterizedTest
    @EachDatabase(except = DatabaseKind.SQLITE)
    void row13a_anOpenTransactionDelaysNoLane(DatabaseKind kind) throws Exception {
        try (ClaimDatabase database = ClaimDatabase.on(kind.sharedServer())) {
            anOpenTransactionDelaysNoLane(database);
        }
    }

    /** The transaction stays open until thousands of calls are completed, however long that takes. */
    private static void anOpenTransactionDelaysNoLane(ClaimDatabase database) throws Exception {
        JdbcClaimStore store = JdbcClaimStore.migrating(database.pool(4));
        TransactionalClaims claims = TransactionalClaims.on(store, SECRETS);
        Operation<String> withoutWaiting = Operation.of("pay", Codec.text());
        ClaimKey held = withoutWaiting.key("acme", "held");
        try (Semel semel = Semel.on(store)
                        .secrets(SECRETS)
                        .storeTimeout(Duration.ofSeconds(20))
                        .build();
                Connection connection = database.connect()) {
            // Under REPEATABLE READ, MariaDB can lock the gap before the claim when a page is split: see
            // docs/databases.md.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            assertThat(claims.execute(connection, withoutWaiting, held, run -> "held"))
                    .isEqualTo(new Outcome.Succeeded<>("held", false));

            List<CompletableFuture<Outcome<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 4_000; i++) {
                ClaimKey key = i % 10 == 0 ? held : withoutWaiting.key("acme", "key-" + i);
                calls.add(semel.executeAsync(withoutWaiting, key, run -> CompletableFuture.completedFuture("leased"))
                        .toCompletableFuture());
                if (i % 250 == 249) {
                    calls.forEach(CompletableFuture::join);
                    assertThat(claims.inTransaction(withoutWaiting, held, (other, run) -> "another"))
                            .isInstanceOf(Outcome.InProgress.class);
                }
            }
            assertThat(calls.stream().map(CompletableFuture::join))
                    .allMatch(outcome -> outcome instanceof Outcome.InProgress
                            || outcome.orElseThrow().equals("leased"));
            assertThat(semel.execute(withoutWaiting, held, run -> "another"))
                    .as("the same key through the engine is another claim")
                    .isEqualTo(new Outcome.Succeeded<>("leased", true));
            connection.commit();
            assertThat(claims.inTransaction(withoutWaiting, held, (other, run) -> "another"))
                    .isEqualTo(new Outcome.Succeeded<>("held", true));
        }
    }
}
