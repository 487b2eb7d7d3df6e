// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import static dev.semel.operations.TestJson.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Claim;
import dev.semel.Ownership;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.jdbc.JdbcClaimStore;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.payload.Keep;
import dev.semel.payload.json.Json;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.testkit.FaultyStore;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settling again with the same content is confirmed, in every form of storage. */
class RepeatedSettlementsTest {
    private static final Secrets SECRETS = Secrets.of(TestProcess.OLD);
    private static final AliasedKey KEY = AliasedKey.of(StepKey.of("acme", "run-1", "send", json("{'a':1}")));
    private static final Json RESULT = json("{'ok':true,'data':{'receipt':4711}}");
    private static final Json OTHER = json("{'ok':true,'data':{'receipt':4712}}");

    @TempDir
    private static Path folder;

    @ParameterizedTest
    @EnumSource(Keep.class)
    void areConfirmedAfterARestartInMemory(Keep keep) {
        areConfirmedAfterARestart(new MemoryClaimStore(), keep);
    }

    @ParameterizedTest
    @EnumSource(Keep.class)
    void areConfirmedAfterARestartInSqlite(Keep keep) {
        try (JdbcClaimStore store = JdbcClaimStore.sqlite(folder.resolve("repeated-" + keep + ".db"))) {
            areConfirmedAfterARestart(store, keep);
        }
    }

    private static void areConfirmedAfterARestart(ClaimStore store, Keep keep) {
        OperationRules rules = OperationRules.STEP.keep(keep);
        Claim claim;
        try (TestProcess process = TestProcess.on(store, SECRETS)) {
            claim = process.claimAndDie(KEY, Terms.DEFAULT);
            assertThat(settle(process, claim, rules, RESULT)).isInstanceOf(Ownership.Confirmed.class);
        }
        try (TestProcess process = TestProcess.on(store, SECRETS)) {
            assertThat(settle(process, claim, rules, RESULT)).isInstanceOf(Ownership.Confirmed.class);
            if (keep != Keep.NONE) {
                assertThat(settle(process, claim, rules, OTHER)).isInstanceOf(Ownership.Lost.class);
            }
        }
    }

    /** Encodes the result again, as a caller must that did not keep the stored form. */
    private static Ownership settle(TestProcess process, Claim claim, OperationRules rules, Json result) {
        StoredResult stored = new ResultForms(SECRETS).write(rules, KEY, result);
        return TestProcess.get(process.semel.settle(claim.ref(), claim.token(), Status.SUCCEEDED, stored, null));
    }

    @Test
    void aStepWhoseAnswerWasLostIsConfirmed() {
        FaultyStore store = new FaultyStore(new MemoryClaimStore());
        StepRequest step = StepRequest.of("acme", "run-2", "send", json("{'a':1}"));
        AtomicInteger effects = new AtomicInteger();
        try (TestProcess process = TestProcess.on(store, SECRETS)) {
            store.onApplyOf(Command.Settle.class).failAfter();

            assertThat(process.steps.run(step, run -> {
                        effects.incrementAndGet();
                        return RESULT;
                    }))
                    .isEqualTo(new StepOutcome.Done<>(RESULT, false, null));
            assertThat(process.steps.run(step, run -> {
                        effects.incrementAndGet();
                        return OTHER;
                    }))
                    .isEqualTo(new StepOutcome.Done<>(RESULT, true, null));
        }
        assertThat(effects).hasValue(1);
    }
}
