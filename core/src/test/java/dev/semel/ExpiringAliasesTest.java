// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.spi.Command;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A claim with an alias expires between an engine's read and its attempt to take it over, and another process claims the
 * alias in between. The model in docs/model found this (ExpiredTakenOver).
 */
@EngineTest
class ExpiringAliasesTest {
    private static final ClaimKey EVENT = CHARGE.key("acme", "ev_1");
    private static final ClaimKey TRANSACTION = CHARGE.key("acme", "tx_9");
    private static final AliasedKey BOTH = EVENT.alsoKnownAs("tx_9");

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @AutoClose
    private final TestEngine other = engine.another();

    private final AtomicInteger effects = new AtomicInteger();

    @Test
    void aCallerByBothKeysIsAnsweredByTheNewRecord() {
        failedRetryably();
        expiresAndTheAliasIsClaimedBeforeTheFirstTakeOver();

        assertThat(engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> effect("second")))
                .isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(effects).hasValue(1);
    }

    @Test
    void aCallerByTheAliasIsAnsweredByTheNewRecord() {
        failedRetryably();
        expiresAndTheAliasIsClaimedBeforeTheFirstTakeOver();

        assertThat(engine.semel.execute(CHARGE, TRANSACTION, run -> effect("second")))
                .isEqualTo(new Outcome.Succeeded<>("first", true));
        assertThat(effects).hasValue(1);
    }

    private void failedRetryably() {
        engine.semel.execute(CHARGE, BOTH, Fingerprint.NONE, run -> {
            throw new IOException("declined");
        });
    }

    private void expiresAndTheAliasIsClaimedBeforeTheFirstTakeOver() {
        AtomicBoolean first = new AtomicBoolean(true);
        engine.store.beforeCommand(command -> {
            if (command instanceof Command.TakeOver && first.getAndSet(false)) {
                engine.memory.age(engine.semel.refOf(EVENT), Duration.ofHours(24));
                other.semel.execute(CHARGE, TRANSACTION, run -> effect("first"));
            }
        });
    }

    private String effect(String value) {
        effects.incrementAndGet();
        return value;
    }
}
