// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.operations.OperationResult.Failed;
import dev.semel.operations.OperationResult.InProgress;
import dev.semel.operations.OperationResult.Succeeded;
import dev.semel.payload.json.Json;
import dev.semel.testkit.MutableClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations over time: take-overs after the lease, and results that expire. */
class OperationsOverTimeTest {
    private static final OperationRequest REQUEST = OperationRequest.of(
            "launchbase",
            "actionRequests.aiProposeCopy",
            Inputs.none().and("intakeId", 123).userText("Make it pop!"));
    private static final Json SAFE = json("{'ok':true,'createdActionRequestIds':[7,8],'data':{'lines':2}}");

    private final MutableClock clock = MutableClock.fromNow();
    private final MemoryClaimStore memory = new MemoryClaimStore(clock);
    private final TestProcess process = TestProcess.on(memory);
    private final AtomicInteger effects = new AtomicInteger();

    @AfterEach
    void close() {
        process.close();
    }

    private Work<Json> returning(Json value) {
        return run -> {
            effects.incrementAndGet();
            return value;
        };
    }

    private OperationResult<Json> call(Work<Json> work) {
        return process.operations.withIdempotency(REQUEST, work);
    }

    private AliasedKey key() {
        return OperationKey.of(Secrets.of(TestProcess.OLD), REQUEST.tenant(), REQUEST.scope(), REQUEST.inputs());
    }

    @Test
    void anOperationOfADeadProcessIsTakenOverAfterTheThreshold() {
        process.claimAndDie(key(), Terms.DEFAULT);

        clock.advance(Duration.ofMinutes(5).minusSeconds(1));
        assertThat(call(returning(SAFE))).isEqualTo(new InProgress<>(Duration.ofSeconds(1)));
        clock.advance(Duration.ofSeconds(2));
        AtomicInteger attempt = new AtomicInteger();
        assertThat(call(run -> {
                    attempt.set(run.attempt());
                    return SAFE;
                }))
                .isEqualTo(new Succeeded<>(SAFE, false, null));
        assertThat(attempt).hasValue(2);
    }

    @Test
    void theThresholdOfTheFirstCallerApplies() {
        process.claimAndDie(key(), REQUEST.staleTakeoverMinutes(2).rules().terms());

        clock.advance(Duration.ofMinutes(2).plusSeconds(1));

        assertThat(call(returning(SAFE))).isEqualTo(new Succeeded<>(SAFE, false, null));
    }

    /** The process is alive but stalls: it does not renew the lease while the store's clock advances. */
    @Test
    void aStalledProcessLosesTheClaimAndGetsANote() {
        CompletableFuture<Json> end = new CompletableFuture<>();
        CompletableFuture<OperationResult<Json>> stalled = process.begin(REQUEST.staleTakeoverMinutes(2), end);
        try (TestProcess successor = TestProcess.on(memory)) {
            assertThat(successor.operations.withIdempotency(REQUEST, returning(SAFE)))
                    .isEqualTo(new InProgress<>(Duration.ofSeconds(5)));
            clock.advance(Duration.ofMinutes(2).plusSeconds(1));
            assertThat(successor.operations.withIdempotency(REQUEST, returning(SAFE)))
                    .isEqualTo(new Succeeded<>(SAFE, false, null));
        }
        end.complete(json("{'ok':false}"));

        assertThat(TestProcess.get(stalled)).isInstanceOfSatisfying(Succeeded.class, late -> {
            assertThat(late.data()).isEqualTo(json("{'ok':false}"));
            assertThat(late.note()).contains("could not be stored");
        });
        assertThat(call(returning(SAFE))).isEqualTo(new Succeeded<>(SAFE, true, null));
    }

    @Test
    void aParkedOperationIsNotTakenOver() {
        CompletableFuture<Json> end = new CompletableFuture<>();
        CompletableFuture<OperationResult<Json>> stalled =
                process.begin(REQUEST.with(REQUEST.rules().parkWhenStale()), end);

        clock.advance(Duration.ofMinutes(6));
        try (TestProcess successor = TestProcess.on(memory)) {
            assertThat(successor.operations.withIdempotency(REQUEST, returning(SAFE)))
                    .isEqualTo(new Failed<>(StopReason.OUTCOME_UNKNOWN, false, null));
        }
        end.complete(SAFE);

        assertThat(TestProcess.get(stalled)).isEqualTo(new Succeeded<>(SAFE, false, null));
        assertThat(effects).hasValue(0);
    }

    @Test
    void resultsExpireAfterTheirTtl() {
        OperationRequest request = REQUEST.ttlHours(2);
        try (TestProcess uncached = TestProcess.on(memory)) {
            uncached.operations.withIdempotency(request, returning(SAFE));
            clock.advance(Duration.ofHours(2).minusSeconds(1));
            assertThat(uncached.operations.withIdempotency(request, returning(SAFE)))
                    .isEqualTo(new Succeeded<>(SAFE, true, null));
            clock.advance(Duration.ofSeconds(2));
            assertThat(uncached.operations.withIdempotency(request, returning(SAFE)))
                    .isEqualTo(new Succeeded<>(SAFE, false, null));
        }
        assertThat(effects).hasValue(2);
    }

    @Test
    void resultsMayBeKeptWithoutLimit() {
        OperationRequest request = REQUEST.with(REQUEST.rules().withoutExpiry());
        try (TestProcess uncached = TestProcess.on(memory)) {
            uncached.operations.withIdempotency(request, returning(SAFE));
            clock.advance(Duration.ofDays(3_650));
            assertThat(uncached.operations.withIdempotency(request, returning(SAFE)))
                    .isEqualTo(new Succeeded<>(SAFE, true, null));
        }
    }
}
