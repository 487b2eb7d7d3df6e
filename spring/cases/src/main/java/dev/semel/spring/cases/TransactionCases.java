// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Claims and Spring's transactions: one row and a replay, or no claim. */
public abstract class TransactionCases {
    private final ShopDatabase database = SharedShop.database();
    private final Shop shop = SharedShop.get().shop();
    private final Cashier cashier = SharedShop.get().cashier();

    @Test
    void executeInsideATransactionIsRefusedWithTheFix() {
        assertThatThrownBy(() -> cashier.pay(Cashier.PAY, "t-1", true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("inside an open transaction")
                .hasMessageContaining("joinTransaction()")
                .hasMessageContaining("outsideTransaction()");

        assertThat(database.orders("t-1")).isZero();
        assertThat(database.claims("cashier.pay")).isEmpty();
        assertThatThrownBy(() -> cashier.refusedShop("t-1")).hasMessageContaining("inside an open transaction");
        assertThat(shop.runs("t-1")).isZero();
    }

    @Test
    void joinedClaimIsRolledBackWithTheCaller() {
        Operation<String> join = Operation.of("cashier.join", Codec.text()).joinTransaction();
        assertThatThrownBy(() -> cashier.pay(join, "t-2", true)).hasMessageContaining("the caller fails");
        assertThat(database.orders("t-2")).isZero();
        assertThat(database.claims("cashier.join")).isEmpty();

        assertThat(cashier.pay(join, "t-2", false)).isEqualTo(new Outcome.Succeeded<>("paid t-2", false));
        assertThat(cashier.pay(join, "t-2", false)).isEqualTo(new Outcome.Succeeded<>("paid t-2", true));
        assertThat(database.orders("t-2")).isEqualTo(1);
        assertThat(database.claims("cashier.join")).isEqualTo("succeeded");
    }

    @Test
    void joiningMethodIsOneCommitWithItsCallerOrOnItsOwn() {
        assertThatThrownBy(() -> cashier.joinShop("t-3", true)).hasMessageContaining("the caller fails");
        assertThat(database.orders("t-3")).isZero();

        String key = shop.join("t-3");
        assertThat(cashier.joinShop("t-3", false)).isEqualTo(key);
        assertThat(shop.join("t-3")).isEqualTo(key);
        assertThat(shop.runs("t-3")).isEqualTo(2);
        assertThat(database.orders("t-3")).isEqualTo(1);
    }

    @Test
    void joiningTransactionalMethodThatFailsLeavesNothing() {
        assertThatThrownBy(() -> shop.joinTransactional("t-4", true))
                .isExactlyInstanceOf(IllegalArgumentException.class);
        assertThat(database.orders("t-4")).isZero();
        assertThat(database.claims("orders.join2")).isEqualTo("retryable");

        assertThat(shop.joinTransactional("t-4", false)).isEqualTo("t-4");
        assertThat(shop.joinTransactional("t-4", true)).isEqualTo("t-4");
        assertThat(database.orders("t-4")).isEqualTo(1);
    }

    /** If the advice ran inside the transaction, the claim would be settled before the commit fails. */
    @Test
    void adviceRunsOutsideTheTransaction() {
        assertThatThrownBy(() -> shop.failsAtCommit("t-5", "no such customer"))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(database.orders("t-5")).isZero();

        assertThat(shop.failsAtCommit("t-5", null)).isEqualTo("t-5");
        assertThat(shop.failsAtCommit("t-5", "not used")).isEqualTo("t-5");
        assertThat(shop.runs("t-5")).isEqualTo(2);
        assertThat(database.orders("t-5")).isEqualTo(1);
    }

    @Test
    void joinedTransactionMustBeWritableAndNotMarkedForRollback() {
        Operation<String> join = Operation.of("cashier.marked", Codec.text()).joinTransaction();
        assertThatThrownBy(() -> cashier.payReadOnly(join, "t-6")).hasMessageContaining("readOnly");
        assertThatThrownBy(() -> cashier.payMarked(join, "t-6")).hasMessageContaining("marked for rollback");
        assertThat(cashier.payMarkedInside(join, "t-6")).isInstanceOf(Outcome.Unsettled.class);

        assertThat(database.orders("t-6")).isZero();
        assertThat(database.claims("cashier.marked")).isEmpty();
    }

    @Test
    void failureOfTheWorkIsStoredByTheOwnTransaction() {
        Operation<String> join = Operation.of("cashier.own", Codec.text()).joinTransaction();
        Outcome<String> outcome = SharedShop.get().semel().execute(join, join.key("default", "t-7"), run -> {
            shop.insertAlone("t-7-other");
            throw new IllegalArgumentException("the work fails");
        });

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(database.orders("t-7-other")).isEqualTo(1);
        assertThat(database.claims("cashier.own")).isEqualTo("retryable");
    }

    @Test
    void errorOfTheWorkIsThrownAndCounted() {
        Operation<String> join =
                Operation.of("cashier.error", Codec.text()).joinTransaction().withAttemptCap(1);
        AssertionError error = new AssertionError("the work fails");
        Work<String> work = run -> {
            shop.insertInCallersTransaction("t-24");
            throw error;
        };

        assertThatThrownBy(() -> SharedShop.get().semel().execute(join, join.key("default", "t-24"), work))
                .isSameAs(error);
        assertThat(database.claims("cashier.error")).isEqualTo("failed");
        assertThat(SharedShop.get().semel().execute(join, join.key("default", "t-24"), work))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(catchThrowable(() -> template().executeWithoutResult(status -> {
                    shop.insertInCallersTransaction("t-24-caller");
                    assertThatThrownBy(() -> SharedShop.get().semel().execute(join, join.key("default", "t-24b"), work))
                            .isSameAs(error);
                })))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(database.orders("t-24") + database.orders("t-24-caller")).isZero();
    }

    /** Such as unflushed entities and events: a savepoint does not undo them. */
    @Test
    void whatFailedWorkLeftForTheCommitDoesNotHappen() {
        Operation<String> join = Operation.of("cashier.atCommit", Codec.text()).joinTransaction();
        Outcome<String> outcome = SharedShop.get().semel().execute(join, join.key("default", "t-20"), run -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    SharedShop.get()
                            .bean(JdbcTemplate.class)
                            .update("INSERT INTO orders (id, amount) VALUES ('t-20', 1)");
                }
            });
            throw new IllegalArgumentException("the work fails");
        });

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(database.orders("t-20")).isZero();
        assertThat(database.claims("cashier.atCommit")).isEqualTo("retryable");
    }

    @Test
    void callerOfFailedWorkCannotCommit() {
        Operation<String> join = Operation.of("cashier.caught", Codec.text()).joinTransaction();
        TransactionTemplate template = new TransactionTemplate(SharedShop.get().bean(PlatformTransactionManager.class));

        assertThatThrownBy(() -> template.executeWithoutResult(status -> {
                    shop.insertInCallersTransaction("t-21");
                    Outcome<String> outcome = SharedShop.get()
                            .semel()
                            .execute(join, join.key("default", "t-21"), run -> {
                                throw new IllegalArgumentException("the work fails");
                            });
                    assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(database.orders("t-21")).isZero();
        assertThat(database.claims("cashier.caught")).isEmpty();
    }

    /** The connection of the ended transaction is still bound to the thread, but nobody commits it again. */
    @Test
    void endedTransactionCannotBeJoined() {
        Operation<String> join = Operation.of("cashier.ended", Codec.text()).joinTransaction();
        List<Throwable> refused = new ArrayList<>();
        List<Outcome<String>> inNew = new ArrayList<>();
        for (boolean commits : List.of(true, false)) {
            template().executeWithoutResult(status -> {
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        inNew.add(insert(join, "t-22-before"));
                    }

                    @Override
                    public void afterCommit() {
                        refused.add(catchThrowable(() -> insert(join, "t-22")));
                        inNew.add(Objects.requireNonNull(newTemplate().execute(inner -> insert(join, "t-22-new"))));
                        refused.add(catchThrowable(() -> insert(join, "t-22")));
                    }

                    @Override
                    public void afterCompletion(int ended) {
                        refused.add(catchThrowable(() -> insert(join, "t-22")));
                    }
                });
                if (!commits) {
                    status.setRollbackOnly();
                }
            });
        }

        assertThat(refused)
                .hasSize(4)
                .allSatisfy(e -> assertThat(e)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("transaction, which has ended")
                        .hasMessageContaining("REQUIRES_NEW"));
        assertThat(inNew).hasSize(2).allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Succeeded.class));
        assertThat(database.orders("t-22")).isZero();
        assertThat(database.orders("t-22-new") + database.orders("t-22-before")).isEqualTo(2);
        assertThat(insert(join, "t-22")).isEqualTo(new Outcome.Succeeded<>("t-22", false));
    }

    @Test
    void marksOfTemplatesAndParticipantsCount() {
        Operation<String> join = Operation.of("cashier.templates", Codec.text()).joinTransaction();
        assertThatThrownBy(() -> template().execute(status -> {
                    status.setRollbackOnly();
                    return insert(join, "t-23");
                }))
                .hasMessageContaining("marked for rollback");
        assertThatThrownBy(() -> template().execute(status -> cashier.payMarked(join, "t-23")))
                .hasMessageContaining("marked for rollback");
        assertThat(template().<Outcome<String>>execute(status -> insert(join, "t-23", status::setRollbackOnly)))
                .isInstanceOf(Outcome.Unsettled.class);
        Runnable nested = () -> template().executeWithoutResult(TransactionStatus::setRollbackOnly);
        assertThatThrownBy(() -> template()
                        .executeWithoutResult(status ->
                                assertThat(insert(join, "t-23", nested)).isInstanceOf(Outcome.Unsettled.class)))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(insert(join, "t-23", nested)).isInstanceOf(Outcome.Retryable.class);
        // The mark of the inner template is visible to nobody else before that template ends.
        assertThatThrownBy(() -> template()
                        .executeWithoutResult(outer -> template().executeWithoutResult(inner -> {
                            inner.setRollbackOnly();
                            insert(join, "t-23");
                        })))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(database.orders("t-23")).isZero();
        assertThat(database.claims("cashier.templates")).isEmpty();

        assertThat(template().<Outcome<String>>execute(status -> {
                    status.setRollbackOnly();
                    return newTemplate().execute(inner -> insert(join, "t-23"));
                }))
                .as("the mark is one of a suspended transaction")
                .isEqualTo(new Outcome.Succeeded<>("t-23", false));
        assertThat(database.orders("t-23")).isEqualTo(1);
    }

    private static TransactionTemplate template() {
        return new TransactionTemplate(SharedShop.get().bean(PlatformTransactionManager.class));
    }

    private static TransactionTemplate newTemplate() {
        TransactionTemplate template = template();
        template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        return template;
    }

    private static Outcome<String> insert(Operation<String> operation, String id) {
        return insert(operation, id, () -> {});
    }

    private static Outcome<String> insert(Operation<String> operation, String id, Runnable more) {
        return SharedShop.get().semel().execute(operation, operation.key("default", id), run -> {
            SharedShop.get().shop().insertInCallersTransaction(id);
            more.run();
            return id;
        });
    }

    @Test
    void deferredConstraintFailsAtTheCommitOfTheOwnTransaction() {
        Operation<String> join = Operation.of("cashier.deferred", Codec.text()).joinTransaction();
        Outcome<String> outcome = SharedShop.get().semel().execute(join, join.key("default", "t-8"), run -> {
            SharedShop.get()
                    .bean(org.springframework.jdbc.core.JdbcTemplate.class)
                    .update("INSERT INTO orders (id, amount, customer) VALUES ('t-8', 1, 'nobody')");
            return "done";
        });

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(database.orders("t-8")).isZero();
        assertThat(database.claims("cashier.deferred")).isEmpty();
    }

    @Test
    void nestedCallsJoinOneTransactionAndTheSameKeyIsRefused() {
        Operation<String> outer = Operation.of("cashier.outer", Codec.text()).joinTransaction();
        assertThatThrownBy(() -> SharedShop.get().semel().execute(outer, outer.key("default", "t-9"), run -> {
                    shop.join("t-9");
                    throw new AssertionError("after the inner call");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(database.orders("t-9")).isZero();

        Outcome<String> nested = SharedShop.get().semel().execute(outer, outer.key("default", "t-9"), run -> {
            assertThatThrownBy(() ->
                            SharedShop.get().semel().execute(outer, outer.key("default", "t-9"), again -> "never"))
                    .isInstanceOf(IllegalStateException.class);
            return shop.join("t-9");
        });
        assertThat(nested).isInstanceOf(Outcome.Succeeded.class);
        assertThat(database.orders("t-9")).isEqualTo(1);
    }

    @Test
    void concurrentJoinsOfOneKeyWriteOneRow() throws Exception {
        Operation<String> serializable =
                Operation.of("cashier.serializable", Codec.text()).joinTransaction();
        List<CompletableFuture<String>> calls = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        for (int i = 0; i < 8; i++) {
            boolean strict = i % 2 == 0;
            calls.add(CompletableFuture.supplyAsync(
                    () -> {
                        awaitStart(start);
                        if (strict) {
                            return payStrictly(serializable);
                        }
                        return shop.join("t-10");
                    },
                    task -> new Thread(task).start()));
        }
        start.countDown();
        for (CompletableFuture<String> call : calls) {
            call.get();
        }

        assertThat(shop.runs("t-10")).isGreaterThanOrEqualTo(1);
        assertThat(database.orders("t-10")).isEqualTo(1);
        assertThat(database.orders("t-10-s")).isEqualTo(1);
        assertThat(database.claims("cashier.serializable")).isEqualTo("succeeded");
    }

    /** A caller of a SERIALIZABLE transaction runs it again after a conflict, as it has to with every such transaction. */
    private String payStrictly(Operation<String> operation) {
        for (int attempt = 0; attempt < 50; attempt++) {
            try {
                Outcome<String> outcome = cashier.paySerializable(operation, "t-10-s");
                if (outcome instanceof Outcome.Succeeded<String> succeeded) {
                    return succeeded.value();
                }
            } catch (UnexpectedRollbackException
                    | dev.semel.jdbc.TransactionAbortedException
                    | org.springframework.dao.ConcurrencyFailureException e) {
                Thread.onSpinWait();
            }
        }
        throw new AssertionError("no attempt succeeded");
    }

    private static void awaitStart(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
