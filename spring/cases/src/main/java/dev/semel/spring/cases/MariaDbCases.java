// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.testservers.FreshDatabase;
import dev.semel.testservers.MariaDbServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

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

    private CompletableFuture<Outcome<String>> move(
            RunningShop running, CountDownLatch bothHoldARow, int from, int to) {
        JdbcTemplate jdbc = running.bean(JdbcTemplate.class);
        return CompletableFuture.supplyAsync(
                () -> running.semel().execute(JOIN, JOIN.key("default", "from " + from), run -> {
                    runs.incrementAndGet();
                    jdbc.update("UPDATE accounts SET amount = amount + 1 WHERE id = ?", from);
                    bothHoldARow.countDown();
                    bothHoldARow.await();
                    jdbc.update("UPDATE accounts SET amount = amount + 1 WHERE id = ?", to);
                    return "moved";
                }),
                task -> new Thread(task).start());
    }
}
