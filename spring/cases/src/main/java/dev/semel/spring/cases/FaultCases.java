// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.claim.ClaimKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Commits without an answer, a transaction of another data source, and a shared pool. */
public abstract class FaultCases {
    private static final Operation<String> JOIN =
            Operation.of("faults.join", Codec.text()).joinTransaction();

    private static Outcome<String> insert(RunningShop running, String id) {
        JdbcTemplate jdbc = running.bean(JdbcTemplate.class);
        ClaimKey key = JOIN.key("default", id);
        return running.semel().execute(JOIN, key, run -> {
            jdbc.update("INSERT INTO orders (id, amount) VALUES (?, 1)", id);
            return "inserted " + id;
        });
    }

    @Test
    void lostCommitsAreAskedForAndOtherTransactionsAreRefused() throws Exception {
        try (ShopDatabase database = new ShopDatabase();
                RunningShop running = RunningShop.start(
                        List.of(FaultyApplication.class), database, "semel.pool=shared", "semel.pool-size=2")) {
            lostCommitIsFoundByItsKey(running, database);
            commitThatStaysUnknownIsUnsettled(running, database);
            lostCommitIsFoundAfterBrokenConnections(running, database);
            transactionOfAnotherDataSourceIsRefused(running, database);
            adviceInsideATransactionIsRefused(running, database);
        }
    }

    private static void lostCommitIsFoundByItsKey(RunningShop running, ShopDatabase database) {
        running.bean(FaultyDataSource.class).loseNextCommit(false);

        assertThat(insert(running, "x-1")).isEqualTo(new Outcome.Succeeded<>("inserted x-1", true));
        assertThat(database.orders("x-1")).isEqualTo(1);
    }

    private static void commitThatStaysUnknownIsUnsettled(RunningShop running, ShopDatabase database) {
        running.bean(FaultyDataSource.class).loseNextCommit(true);
        Outcome<String> outcome = insert(running, "x-2");
        running.bean(FaultyDataSource.class).recover();

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Unsettled.class, unsettled -> {
            assertThat(unsettled.value()).isEqualTo("inserted x-2");
            assertThat(unsettled.lost()).isFalse();
        });
        assertThat(insert(running, "x-2")).isEqualTo(new Outcome.Succeeded<>("inserted x-2", true));
        assertThat(database.orders("x-2")).isEqualTo(1);
    }

    private static void lostCommitIsFoundAfterBrokenConnections(RunningShop running, ShopDatabase database) {
        running.bean(FaultyDataSource.class).loseNextCommitAndBreak(2);

        assertThat(insert(running, "x-5")).isEqualTo(new Outcome.Succeeded<>("inserted x-5", true));
        assertThat(database.orders("x-5")).isEqualTo(1);
    }

    private static void transactionOfAnotherDataSourceIsRefused(RunningShop running, ShopDatabase database) {
        TransactionTemplate other = new TransactionTemplate(
                running.context().getBean("otherTransactions", PlatformTransactionManager.class));

        assertThatThrownBy(() -> other.execute(status -> insert(running, "x-3")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not on the data source that holds the claims")
                .hasMessageContaining("semel.transaction-manager");
        assertThat(database.orders("x-3")).isZero();
    }

    /** The application ordered its transactions outside, so a commit could fail after the settlement. */
    private static void adviceInsideATransactionIsRefused(RunningShop running, ShopDatabase database) {
        assertThatThrownBy(() -> running.shop().failsAtCommit("x-4", "no such customer"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside an open transaction");
        assertThat(running.shop().runs("x-4")).isZero();
        assertThat(database.claims("orders.late")).isEmpty();
    }

    @Test
    void sharedPoolIsAnnouncedAndAForeignTransactionManagerIsRefused() throws Exception {
        try (ShopDatabase database = new ShopDatabase()) {
            Output output = Output.of(() -> {
                try (RunningShop running = RunningShop.start(
                        List.of(FaultyApplication.class),
                        database,
                        "semel.pool=shared",
                        "semel.pool-size=3",
                        "semel.transaction-manager=otherTransactions",
                        "logging.level.dev.semel=INFO")) {
                    assertThatThrownBy(() -> insert(running, "x-6"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("does not use the data source that holds the claims")
                            .hasMessageContaining("set semel.transaction-manager");
                    assertThat(database.orders("x-6")).isZero();
                }
            });

            assertThat(output.failure()).isNull();
            assertThat(output.text()).contains("takes up to 3 of its 5 connections");
        }
    }
}
