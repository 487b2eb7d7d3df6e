// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.FailureClass;
import dev.semel.Work;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.OperationResult.Failed;
import dev.semel.operations.OperationResult.InProgress;
import dev.semel.operations.OperationResult.Succeeded;
import dev.semel.payload.Keep;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.payload.redact.AllowList;
import dev.semel.payload.redact.FieldType;
import dev.semel.spi.Command;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.MutableClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationsTest {
    private static final OperationRequest REQUEST = OperationRequest.of(
            "launchbase",
            "actionRequests.aiProposeCopy",
            Inputs.none().and("intakeId", 123).userText("Make it pop!"));
    private static final Json SAFE = json("{'ok':true,'createdActionRequestIds':[7,8],'data':{'lines':2}}");

    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore memory = new MemoryClaimStore(clock);
    private final FaultyStore store = new FaultyStore(memory);
    private final TestProcess process = TestProcess.on(
            store,
            Secrets.of(TestProcess.OLD),
            builder -> builder.storeTimeout(Duration.ofMillis(300)).withoutCallerRuns());
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        store.heal();
        process.close();
    }

    private Work<Json> returning(Json value) {
        return run -> {
            effects.incrementAndGet();
            return value;
        };
    }

    private Work<Json> failing(Exception failure) {
        return run -> {
            effects.incrementAndGet();
            throw failure;
        };
    }

    private OperationResult<Json> call(Work<Json> work) {
        return process.operations.withIdempotency(REQUEST, work);
    }

    @Test
    void theSecondCallerGetsTheResultOfTheFirst() {
        OperationResult<Json> first = call(returning(SAFE));
        OperationResult<Json> second = call(returning(json("{'ok':false}")));

        assertThat(first).isEqualTo(new Succeeded<>(SAFE, false, null));
        assertThat(second).isEqualTo(new Succeeded<>(SAFE, true, null));
        assertThat(first.status()).isEqualTo("succeeded");
        assertThat(effects).hasValue(1);
    }

    @Test
    void otherInputsTenantsOrScopesAreOtherOperations() {
        call(returning(SAFE));

        process.operations.withIdempotency(
                OperationRequest.of("launchbase", REQUEST.scope(), Inputs.none().and("intakeId", 124)),
                returning(SAFE));
        process.operations.withIdempotency(
                OperationRequest.of("acme", REQUEST.scope(), REQUEST.inputs()), returning(SAFE));
        process.operations.withIdempotency(
                OperationRequest.of("launchbase", "other", REQUEST.inputs()), returning(SAFE));

        assertThat(effects).hasValue(4);
    }

    @Test
    void theFirstCallerGetsTheFullResultAndReplaysTheSafePart() {
        Json full = json("{'ok':true,'traceId':'t-1','prompt':'You are','debug':{'a':1},'stack':'at x','data':{'n':1,"
                + "'model':'x','deep':{'a':1}},'answer':'raw text'}");

        assertThat(call(returning(full))).isEqualTo(new Succeeded<>(full, false, null));
        assertThat(call(returning(full)))
                .isEqualTo(new Succeeded<>(json("{'ok':true,'traceId':'t-1','data':{'n':1}}"), true, null));
    }

    @Test
    void anOperationWhoseResultMayNotBeStoredIsNotRunAgain() {
        Json secret = json("{'prompt':'You are','answer':'raw text'}");

        assertThat(call(returning(secret))).isEqualTo(new Succeeded<>(secret, false, null));
        assertThat(call(returning(secret))).isInstanceOfSatisfying(Succeeded.class, replayed -> {
            assertThat(replayed.data()).isNull();
            assertThat(replayed.cached()).isTrue();
            assertThat(replayed.note()).contains("none of its members is allowed");
        });
        assertThat(effects).hasValue(1);
    }

    @Test
    void anOperationWhoseResultIsNotAnObjectIsNotRunAgain() {
        call(returning(json("'raw text'")));

        assertThat(call(returning(SAFE))).isInstanceOfSatisfying(Succeeded.class, replayed -> {
            assertThat(replayed.data()).isNull();
            assertThat(replayed.note()).contains("no JSON object");
        });
        assertThat(effects).hasValue(1);
    }

    @Test
    void anEmptyObjectIsReplayed() {
        call(returning(json("{}")));

        assertThat(call(returning(SAFE))).isEqualTo(new Succeeded<>(json("{}"), true, null));
    }

    @Test
    void theRulesDecideWhatIsStored() {
        Json full = json("{'total':12,'note':'private','ok':true}");
        OperationRequest custom =
                REQUEST.with(REQUEST.rules().sanitisedBy(AllowList.EMPTY.allow("total", new FieldType.Numeric())));
        process.operations.withIdempotency(custom, returning(full));
        assertThat(process.operations.withIdempotency(custom, returning(full)))
                .isEqualTo(new Succeeded<>(json("{'total':12}"), true, null));

        OperationRequest sealed = OperationRequest.of("launchbase", "sealed", REQUEST.inputs())
                .with(OperationRules.OPERATION.keep(Keep.SEALED));
        process.operations.withIdempotency(sealed, returning(full));
        assertThat(process.operations.withIdempotency(sealed, returning(full)))
                .isEqualTo(new Succeeded<>(full, true, null));

        OperationRequest none = OperationRequest.of("launchbase", "none", REQUEST.inputs())
                .with(OperationRules.OPERATION.keep(Keep.NONE));
        process.operations.withIdempotency(none, returning(full));
        assertThat(process.operations.withIdempotency(none, returning(full)))
                .isInstanceOfSatisfying(
                        Succeeded.class, replayed -> assertThat(replayed.data()).isNull());
        assertThat(effects).hasValue(3);
    }

    @Test
    void resultsMayBeOfAnyType() {
        JsonForm<String> form = JsonForm.of(
                text -> new JsonObject(Map.of("traceId", new JsonString(text))),
                json -> ((JsonString) ((JsonObject) json).member("traceId").orElseThrow()).value());

        assertThat(process.operations.withIdempotency(REQUEST, form, run -> "t-1"))
                .isEqualTo(new Succeeded<>("t-1", false, null));
        assertThat(process.operations.withIdempotency(REQUEST, form, run -> "t-2"))
                .isEqualTo(new Succeeded<>("t-1", true, null));
    }

    @Test
    void anOperationWhoseResultCannotBeConvertedIsNotRunAgain() {
        JsonForm<String> broken = JsonForm.of(
                text -> {
                    throw new IllegalStateException("no JSON");
                },
                json -> "never");
        assertThat(process.operations.withIdempotency(REQUEST, broken, run -> "t-1"))
                .isEqualTo(new Succeeded<>("t-1", false, null));
        assertThat(process.operations.withIdempotency(REQUEST, broken, run -> "t-2"))
                .isInstanceOfSatisfying(Succeeded.class, replayed -> {
                    assertThat(replayed.data()).isNull();
                    assertThat(replayed.note()).contains("IllegalStateException");
                });
    }

    @Test
    void aDuplicateOfARunningOperationIsInProgress() {
        CompletableFuture<Json> end = new CompletableFuture<>();
        CompletableFuture<OperationResult<Json>> first = process.begin(REQUEST, end);

        OperationResult<Json> second = call(returning(SAFE));
        end.complete(SAFE);

        assertThat(second)
                .isInstanceOfSatisfying(
                        InProgress.class,
                        running -> assertThat(running.retryAfter())
                                .isPositive()
                                .isLessThanOrEqualTo(Duration.ofSeconds(5)));
        assertThat(second.status()).isEqualTo("in_progress");
        assertThat(TestProcess.get(first)).isEqualTo(new Succeeded<>(SAFE, false, null));
        assertThat(effects).hasValue(0);
    }

    @Test
    void aDuplicateWaitsIfTheRulesSaySo() {
        CompletableFuture<Json> end = new CompletableFuture<>();
        process.begin(REQUEST, end);
        OperationRequest waiting = REQUEST.with(REQUEST.rules().waitingUpTo(Duration.ofSeconds(30)));

        CompletableFuture<OperationResult<Json>> second =
                TestProcess.inBackground(() -> process.operations.withIdempotency(waiting, returning(SAFE)));
        end.complete(SAFE);

        assertThat(TestProcess.get(second)).isEqualTo(new Succeeded<>(SAFE, true, null));
    }

    @Test
    void aFailureIsAResultAndTheNextCallRunsAgain() {
        IOException failure = new IOException("what the user typed");

        OperationResult<Json> first = call(failing(failure));

        assertThat(first).isEqualTo(new Failed<>(StopReason.OPERATION_FAILED, true, failure));
        assertThat(first.status()).isEqualTo("failed");
        assertThat(call(returning(SAFE))).isEqualTo(new Succeeded<>(SAFE, false, null));
        assertThat(effects).hasValue(2);
    }

    @Test
    void workMayGiveAStopReason() {
        StopException retryable = new StopException("provider_timeout", FailureClass.RETRYABLE);
        assertThat(call(failing(retryable))).isEqualTo(new Failed<>("provider_timeout", true, retryable));

        StopException last = new StopException("needs_human", FailureClass.FINAL, new IOException("x"));
        assertThat(call(failing(last))).isEqualTo(new Failed<>("needs_human", false, last));
        assertThat(call(returning(SAFE))).isEqualTo(new Failed<>("needs_human", false, null));
        assertThat(effects).hasValue(2);
    }

    @Test
    void anUnknownOutcomeWaitsForAnOperator() {
        StopException unknown = new StopException("bank_silent", FailureClass.UNKNOWN);
        assertThat(call(failing(unknown))).isEqualTo(new Failed<>("bank_silent", false, unknown));

        assertThat(call(returning(SAFE))).isEqualTo(new Failed<>(StopReason.OUTCOME_UNKNOWN, false, null));
        assertThat(effects).hasValue(1);
    }

    @Test
    void aStopReasonIsOneWord() {
        assertThatThrownBy(() -> new StopException("what the user typed", FailureClass.FINAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one word");
    }

    @Test
    void nothingRunsWhileTheStoreIsUnavailable() {
        store.onApply().always().failBefore();
        store.onRead().always().failBefore();

        assertThat(call(returning(SAFE))).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.stopReason()).isEqualTo(StopReason.STORE_UNAVAILABLE);
            assertThat(failed.retryable()).isTrue();
        });
        assertThat(effects).hasValue(0);
    }

    @Test
    void theCallerGetsTheResultEvenIfItCouldNotBeStored() {
        store.onApplyOf(Command.Settle.class).always().failBefore();

        assertThat(call(returning(SAFE))).isInstanceOfSatisfying(Succeeded.class, succeeded -> {
            assertThat(succeeded.data()).isEqualTo(SAFE);
            assertThat(succeeded.cached()).isFalse();
            assertThat(succeeded.note()).contains("could not be stored");
        });
    }

    @Test
    void operationsMayBeAsynchronous() {
        assertThat(TestProcess.get(process.operations.withIdempotencyAsync(
                        REQUEST, run -> CompletableFuture.failedFuture(new IOException("x")))))
                .isInstanceOf(Failed.class);
        assertThat(TestProcess.get(process.operations.withIdempotencyAsync(
                        REQUEST, run -> CompletableFuture.completedFuture(SAFE))))
                .isEqualTo(new Succeeded<>(SAFE, false, null));
        assertThat(TestProcess.get(process.operations.withIdempotencyAsync(
                        REQUEST, run -> CompletableFuture.completedFuture(json("{}")))))
                .isEqualTo(new Succeeded<>(SAFE, true, null));
    }

    @Test
    void aRejectingExecutorIsAResult() {
        AtomicBoolean full = new AtomicBoolean(true);
        try (TestProcess refusing = TestProcess.on(
                memory,
                Secrets.of(TestProcess.OLD),
                builder -> builder.callbackExecutor(task -> {
                    if (full.getAndSet(false)) {
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                }))) {
            assertThat(TestProcess.get(refusing.operations.withIdempotencyAsync(
                            REQUEST, run -> CompletableFuture.completedFuture(SAFE))))
                    .isInstanceOfSatisfying(
                            Failed.class,
                            failed -> assertThat(failed.stopReason()).isEqualTo(StopReason.STORE_UNAVAILABLE));
        }
    }

    @Test
    void anErrorIsSettledAndThrown() {
        assertThatThrownBy(() -> call(run -> {
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> TestProcess.get(process.operations.withIdempotencyAsync(REQUEST, run -> {
                    throw new StackOverflowError("deep");
                })))
                .hasRootCauseInstanceOf(StackOverflowError.class);

        assertThat(call(returning(SAFE))).isEqualTo(new Succeeded<>(SAFE, false, null));
    }

    @Test
    void mistakesInTheCallAreThrown() {
        assertThatThrownBy(() -> OperationRequest.of("", "s", SAFE)).hasMessageContaining("A tenant");
        assertThatThrownBy(() -> OperationRequest.of("t", "s", (Json) null)).hasMessageContaining("Inputs");
        assertThatThrownBy(() -> call(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> REQUEST.ttlHours(0)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> REQUEST.staleTakeoverMinutes(0)).hasMessageContaining("at least 1");
    }

    /** The inner call is the mistake and throws. For the outer call this is a failure of its work. */
    @Test
    void aNestedUseOfAKeyThrowsInTheInnerCall() {
        OperationResult<Json> outer = call(run -> {
            process.operations.withIdempotency(REQUEST, returning(SAFE));
            return SAFE;
        });

        assertThat(outer)
                .isInstanceOfSatisfying(
                        Failed.class,
                        failed -> assertThat(failed.cause())
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("nested in itself"));
        assertThat(effects).hasValue(0);
    }

    @Test
    void theComputedKeyUsesTheCurrentSecret() {
        assertThat(process.operations.computeIdempotencyKey("launchbase", SAFE))
                .isEqualTo(OperationKey.compute(TestProcess.OLD, "launchbase", SAFE));
    }
}
