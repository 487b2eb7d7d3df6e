// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.Keep;
import dev.semel.payload.json.Json;
import dev.semel.spi.ClaimBrowser;
import dev.semel.spi.ClaimStore;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three steps of a rotation, for callers whose keys also depend on the secret. */
class RotationTest {
    private static final Secrets BEFORE = Secrets.of(TestProcess.OLD);
    private static final Secrets ADDED = Secrets.of(TestProcess.OLD, TestProcess.FRESH);
    private static final Secrets PROMOTED = Secrets.of(TestProcess.FRESH, TestProcess.OLD);
    private static final Secrets RETIRED = Secrets.of(TestProcess.FRESH);
    private static final Json RESULT = json("{'ok':true,'traceId':'t-1'}");

    @TempDir
    private static Path folder;

    private final AtomicInteger effects = new AtomicInteger();

    private static OperationRequest operation(String name, Keep keep) {
        return OperationRequest.of(
                        "acme", "copy", Inputs.none().and("name", name).json())
                .with(OperationRules.OPERATION.keep(keep));
    }

    private OperationResult<Json> call(ClaimStore store, Secrets secrets, OperationRequest request) {
        try (TestProcess process = TestProcess.on(store, secrets)) {
            return process.operations.withIdempotency(request, run -> {
                effects.incrementAndGet();
                return RESULT;
            });
        }
    }

    @Test
    void operationsAreFoundThroughoutInMemory() {
        MemoryClaimStore store = new MemoryClaimStore();
        operationsAreFoundThroughout(store, store);
    }

    @Test
    void operationsAreFoundThroughoutInSqlite() {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("operations.db"))) {
            operationsAreFoundThroughout(store, store);
        }
    }

    private void operationsAreFoundThroughout(ClaimStore store, ClaimBrowser browser) {
        for (Keep keep : List.of(Keep.SANITISED, Keep.SEALED)) {
            effects.set(0);
            OperationRequest early = operation("early-" + keep, keep);
            OperationRequest late = operation("late-" + keep, keep);
            OperationResult<Json> replay = new OperationResult.Succeeded<>(RESULT, true, null);

            call(store, BEFORE, early);
            // Each step takes time to roll out, so processes before and after it work together.
            for (Secrets secrets : List.of(ADDED, BEFORE, ADDED, PROMOTED, ADDED, PROMOTED)) {
                assertThat(call(store, secrets, early))
                        .as("%s %s", keep, secrets)
                        .isEqualTo(replay);
            }
            assertThat(effects).hasValue(1);
            call(store, PROMOTED, late);
            assertThat(call(store, ADDED, late)).isEqualTo(replay);
            assertThat(effects).hasValue(2);
        }
        assertThat(browser.onlyFoundBy(TestProcess.OLD.id())).isZero();

        for (Keep keep : List.of(Keep.SANITISED, Keep.SEALED)) {
            OperationResult.Succeeded<Json> early =
                    (OperationResult.Succeeded<Json>) call(store, RETIRED, operation("early-" + keep, keep));
            assertThat(early.cached()).isTrue();
            assertThat(early.data()).isEqualTo(keep == Keep.SANITISED ? RESULT : null);
            assertThat(call(store, RETIRED, operation("late-" + keep, keep)))
                    .isEqualTo(new OperationResult.Succeeded<>(RESULT, true, null));
        }
        assertThat(effects).hasValue(2);
    }

    @Test
    void recordsFoundOnlyByTheOldSecretAreCounted() {
        MemoryClaimStore store = new MemoryClaimStore();
        call(store, BEFORE, operation("forgotten", Keep.SANITISED));
        call(store, PROMOTED, operation("another", Keep.SANITISED));

        assertThat(store.onlyFoundBy(TestProcess.OLD.id())).isEqualTo(1);
        call(store, PROMOTED, operation("forgotten", Keep.SANITISED));
        assertThat(store.onlyFoundBy(TestProcess.OLD.id())).isZero();
        assertThat(effects).hasValue(2);
    }

    @Test
    void aRunningOperationIsFoundByAProcessWithTheNextSecret() {
        MemoryClaimStore store = new MemoryClaimStore();
        OperationRequest request = operation("running", Keep.SANITISED);
        try (TestProcess process = TestProcess.on(store, BEFORE)) {
            AliasedKey key = OperationKey.of(BEFORE, "acme", "copy", request.inputs());
            process.claimAndDie(key, Terms.DEFAULT);
        }

        assertThat(call(store, PROMOTED, request)).isInstanceOf(OperationResult.InProgress.class);
        assertThat(effects).hasValue(0);
    }

    @Test
    void encryptedStepsAreReadThroughout() {
        MemoryClaimStore store = new MemoryClaimStore();
        StepRequest step = StepRequest.of("acme", "run-1", "send", json("{'a':1}"));
        assertThat(run(store, BEFORE, step)).isEqualTo(new StepOutcome.Done<>(RESULT, false, null));

        for (Secrets secrets : List.of(ADDED, PROMOTED, ADDED, BEFORE)) {
            assertThat(run(store, secrets, step))
                    .as("%s", secrets)
                    .isEqualTo(new StepOutcome.Done<>(RESULT, true, null));
        }
        assertThat(effects).hasValue(1);
    }

    private StepOutcome<Json> run(ClaimStore store, Secrets secrets, StepRequest step) {
        try (TestProcess process = TestProcess.on(store, secrets)) {
            return process.steps.run(step, run -> {
                effects.incrementAndGet();
                return RESULT;
            });
        }
    }
}
