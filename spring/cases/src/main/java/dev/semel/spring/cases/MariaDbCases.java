// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.jdbc.TransactionAbortedException;
import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.MariaDbServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions on MariaDB, which ends a transaction by itself after a deadlock. */
public abstract class MariaDbCases {
    private static final Operation<String> JOIN =
            Operation.of("accounts.move", Codec.text()).joinTransaction();

    private final AtomicInteger runs = new AtomicInteger();

    /** A database of the shared server. */
    private static final class Accounts extends FreshDatabase {
        Accounts() {
            super(MariaDbServer.shared());
            execute(
                    "CREATE TABLE accounts (id INT PRIMARY KEY, amount INT NOT NULL)",
                    "INSERT INTO accounts VALUES (1, 0), (2, 0)");
        }
    }

    @Test
    void deadlockInTheWorkIsRetried() throws Exception {
        try (Accounts database = new Accounts();
                RunningShop running = RunningShop.start(List.of(ShopApplication.class), database)) {
            CountDownLatch bothHoldARow = new CountDownLatch(2);
            CompletableFuture<Outcome<String>> one = move(running, bothHoldARow, 1, 2);
            CompletableFuture<Outcome<String>> two = move(running, bothHoldARow, 2, 1);

            assertThat(one.get()).isEqualTo(new Outcome.Succeeded<>("moved", false));
            assertThat(two.get()).isEqualTo(new Outcome.Succeeded<>("moved", false));
            assertThat(runs.get()).as("one of them was rolled back").isGreaterThanOrEqualTo(3);
            assertThat(database.single("SELECT group_concat(amount) FROM accounts"))
                    .isEqualTo("2,2");
        }
    }

    /** Only the caller can run its transaction again: Semel does not know what else it did. */
    @Test
    void deadlockInACallersTransactionLeavesNothingAndMayBeRunAgain() throws Exception {
        try (Accounts database = new Accounts();
                RunningShop running = RunningShop.start(List.of(ShopApplication.class), database)) {
            TransactionTemplate template = new TransactionTemplate(running.bean(PlatformTransactionManager.class));
            CountDownLatch bothHoldARow = new CountDownLatch(2);
            List<TransactionAbortedException> aborted = new CopyOnWriteArrayList<>();
            UnaryOperator<Supplier<Outcome<String>>> inTransaction = move -> () -> {
                try {
                    return template.execute(status -> move.get());
                } catch (TransactionAbortedException e) {
                    aborted.add(e);
                    return template.execute(status -> move.get());
                }
            };
            CompletableFuture<Outcome<String>> one =
                    inThread(inTransaction.apply(() -> moved(running, bothHoldARow, 1, 2)));
            CompletableFuture<Outcome<String>> two =
                    inThread(inTransaction.apply(() -> moved(running, bothHoldARow, 2, 1)));

            assertThat(one.get()).isEqualTo(new Outcome.Succeeded<>("moved", false));
            assertThat(two.get()).isEqualTo(new Outcome.Succeeded<>("moved", false));
            assertThat(aborted).hasSize(1).allMatch(TransactionAbortedException::retryable);
            assertThat(runs.get()).isEqualTo(3);
            assertThat(database.single("SELECT group_concat(amount) FROM accounts"))
                    .isEqualTo("2,2");
        }
    }

    /** The database has rolled back what came before the deadlock, so the rest must not be committed alone. */
    @Test
    void workThatIgnoresADeadlockCommitsNothing() throws Exception {
        try (Accounts database = new Accounts();
                RunningShop running = RunningShop.start(List.of(ShopApplication.class), database)) {
            JdbcTemplate jdbc = running.bean(JdbcTemplate.class);
            CountDownLatch bothHoldARow = new CountDownLatch(2);
            List<Throwable> refused = new CopyOnWriteArrayList<>();
            for (CompletableFuture<?> call : List.of(
                    inThread(() -> ignoringDeadlocks(running, bothHoldARow, 1, 2, refused)),
                    inThread(() -> ignoringDeadlocks(running, bothHoldARow, 2, 1, refused)))) {
                call.get();
            }

            assertThat(refused).singleElement().isInstanceOf(TransactionAbortedException.class);
            assertThat(database.single("SELECT group_concat(amount) FROM accounts"))
                    .isEqualTo("1,1");
            assertThat(jdbc.queryForObject("SELECT count(*) FROM idempotency_keys", Integer.class))
                    .isEqualTo(1);
        }
    }

    private static Object ignoringDeadlocks(
            RunningShop running, CountDownLatch bothHoldARow, int from, int to, List<Throwable> refused) {
        JdbcTemplate jdbc = running.bean(JdbcTemplate.class);
        try {
            return running.semel().execute(JOIN, JOIN.key("default", "from " + from), run -> {
                add(jdbc, from);
                bothHoldARow.countDown();
                bothHoldARow.await();
                try {
                    add(jdbc, to);
                } catch (ConcurrencyFailureException e) {
                    add(jdbc, from);
                }
                return "moved";
            });
        } catch (TransactionAbortedException e) {
            refused.add(e);
            return "refused";
        }
    }

    private CompletableFuture<Outcome<String>> move(
            RunningShop running, CountDownLatch bothHoldARow, int from, int to) {
        return inThread(() -> moved(running, bothHoldARow, from, to));
    }

    private Outcome<String> moved(RunningShop running, CountDownLatch bothHoldARow, int from, int to) {
        JdbcTemplate jdbc = running.bean(JdbcTemplate.class);
        return running.semel().execute(JOIN, JOIN.key("default", "from " + from), run -> {
            runs.incrementAndGet();
            add(jdbc, from);
            bothHoldARow.countDown();
            bothHoldARow.await();
            add(jdbc, to);
            return "moved";
        });
    }

    private static void add(JdbcTemplate jdbc, int account) {
        jdbc.update("UPDATE accounts SET amount = amount + 1 WHERE id = ?", account);
    }

    private static <T> CompletableFuture<T> inThread(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task).start());
    }
}
