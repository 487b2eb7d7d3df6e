// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.spi.ClaimStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Concurrent callers in two processes, on the memory store and on a database: one effect, and equal results for all. */
class ConcurrencyTest {
    private static final int CALLERS = 24;
    private static final int ROUNDS = 10;
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    @Test
    void inMemory() {
        MemoryClaimStore store = new MemoryClaimStore();
        everythingOnce(store, store, Secrets.of(TestProcess.OLD), Secrets.of(TestProcess.OLD));
    }

    @Test
    void inSqlite() {
        Path file = folder.resolve("claims.db");
        try (JdbcClaimStore first = JdbcClaimStore.sqlite(file);
                JdbcClaimStore second = JdbcClaimStore.sqlite(file)) {
            everythingOnce(first, second, Secrets.of(TestProcess.OLD), Secrets.of(TestProcess.OLD));
        }
    }

    /** One process has already promoted the new secret, and the other has not. */
    @Test
    void inSqliteWhileTheSecretIsRotated() {
        Path file = folder.resolve("rotated.db");
        try (JdbcClaimStore first = JdbcClaimStore.sqlite(file);
                JdbcClaimStore second = JdbcClaimStore.sqlite(file)) {
            everythingOnce(
                    first,
                    second,
                    Secrets.of(TestProcess.OLD, TestProcess.FRESH),
                    Secrets.of(TestProcess.FRESH, TestProcess.OLD));
        }
    }

    private static void everythingOnce(ClaimStore one, ClaimStore other, Secrets ofOne, Secrets ofOther) {
        try (TestProcess first = TestProcess.on(one, ofOne, builder -> builder);
                TestProcess second = TestProcess.on(other, ofOther, builder -> builder)) {
            List<TestProcess> processes = List.of(first, second);
            for (int round = 0; round < ROUNDS; round++) {
                operationsOnce(processes, round);
                stepsOnce(processes, round);
                paymentsOnce(processes, round);
            }
        }
    }

    private static void operationsOnce(List<TestProcess> processes, int round) {
        AtomicInteger effects = new AtomicInteger();
        OperationRequest request = OperationRequest.of(
                        "acme", "copy", Inputs.none().and("round", round))
                .with(OperationRules.OPERATION.waitingUpTo(MAX_WAIT));

        List<OperationResult<Json>> results = together(i -> () -> processes
                .get(i % 2)
                .operations
                .withIdempotency(
                        request,
                        run -> new JsonObject(
                                Map.of("createdActionRequestIds", json("[" + effects.incrementAndGet() + "]")))));

        assertThat(effects).hasValue(1);
        assertThat(results).extracting(OperationResult::status).containsOnly("succeeded");
        assertThat(results)
                .extracting(result -> ((OperationResult.Succeeded<Json>) result).data())
                .containsOnly(json("{'createdActionRequestIds':[1]}"));
        assertThat(results)
                .filteredOn(result -> !((OperationResult.Succeeded<Json>) result).cached())
                .hasSize(1);
    }

    private static void stepsOnce(List<TestProcess> processes, int round) {
        AtomicInteger effects = new AtomicInteger();
        StepRequest step = StepRequest.of("acme", "run-" + round, "send", json("{'a':1}"))
                .with(OperationRules.STEP.waitingUpTo(MAX_WAIT));

        List<StepOutcome<Json>> outcomes = together(i ->
                () -> processes.get(i % 2).steps.run(step, run -> JsonNumber.of(effects.incrementAndGet())));

        assertThat(effects).hasValue(1);
        assertThat(outcomes)
                .extracting(outcome -> ((StepOutcome.Done<Json>) outcome).result())
                .containsOnly(JsonNumber.of(1));
    }

    /** No call waits: each is processed, a duplicate, or in progress. */
    private static void paymentsOnce(List<TestProcess> processes, int round) {
        AtomicInteger effects = new AtomicInteger();
        String[] amounts = {"1000", "1,000.00", "1 000,0", "1000.000"};
        String[] phones = {"0788123456", "+250 788 123 456", "250788123456"};

        List<PaymentOutcome<Json>> outcomes = together(i -> () -> processes
                .get(i % 2)
                .payments
                .requestOnce(
                        PaymentRequest.of(
                                "acme",
                                "momo",
                                "order-" + round,
                                Amount.of(amounts[i % amounts.length]),
                                Phone.of(phones[i % phones.length], "RW")),
                        run -> JsonNumber.of(effects.incrementAndGet())));

        assertThat(effects).hasValue(1);
        assertThat(outcomes).extracting(PaymentOutcome::status).containsOnlyOnce("processed");
        assertThat(outcomes).extracting(PaymentOutcome::status).isSubsetOf("processed", "duplicate", "in_progress");
    }

    private interface Caller<T> {
        Supplier<T> number(int i);
    }

    private static <T> List<T> together(Caller<T> caller) {
        CountDownLatch ready = new CountDownLatch(CALLERS);
        List<CompletableFuture<T>> started = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Supplier<T> call = caller.number(i);
            started.add(TestProcess.inBackground(() -> {
                ready.countDown();
                awaited(ready);
                return call.get();
            }));
        }
        return started.stream().map(TestProcess::get).toList();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted", e);
        }
    }
}
