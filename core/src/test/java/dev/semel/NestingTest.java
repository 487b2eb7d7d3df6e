// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import static dev.semel.TestEngine.CHARGE;
import static dev.semel.TestEngine.KEY;
import static dev.semel.TestEngine.inBackground;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.semel.claim.ClaimKey;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@EngineTest
class NestingTest {
    private static final ClaimKey OTHER = CHARGE.key("acme", "order-18");

    @AutoClose
    private final TestEngine engine = new TestEngine();

    @Test
    void aKeyNestedInItselfIsAnErrorThatSaysWhatToDo() {
        engine.execute(CHARGE, run -> {
            nestedIsRefused();
            return "receipt";
        });

        assertThat(engine.execute(CHARGE, run -> "again")).isEqualTo(new Outcome.Succeeded<>("receipt", true));
    }

    @Test
    void anAsynchronousCallNestedInItselfIsAnErrorToo() {
        engine.execute(CHARGE, run -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> engine.semel.executeAsync(
                            CHARGE, KEY, inner -> CompletableFuture.completedFuture("inner")));
            return "receipt";
        });

        assertThat(engine.stored().attempt()).isEqualTo(1);
    }

    @Test
    void anotherKeyMayBeNested() {
        Outcome<String> outcome = engine.execute(
                CHARGE,
                run -> "outer "
                        + engine.semel.execute(CHARGE, OTHER, inner -> "inner").orElseThrow());

        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("outer inner", false));
    }

    @Test
    void theOuterKeyIsStillGuardedAfterAnotherOneWasNested() {
        Outcome<String> outcome = engine.execute(CHARGE, run -> {
            engine.semel.execute(CHARGE, OTHER, inner -> "inner");
            nestedIsRefused();
            return "receipt";
        });

        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void aCallOnAnotherThreadIsADuplicate() {
        Outcome<String> outcome = engine.execute(CHARGE, run -> {
            assertThat(TestEngine.get(inBackground(() -> engine.execute(CHARGE, inner -> "inner"))))
                    .isInstanceOf(Outcome.InProgress.class);
            return "receipt";
        });

        assertThat(outcome).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    @Test
    void aThreadMayRunTheKeyAgainAfterAFailure() {
        engine.execute(CHARGE, run -> {
            throw new IllegalArgumentException("declined");
        });

        assertThat(engine.execute(CHARGE, run -> "receipt")).isEqualTo(new Outcome.Succeeded<>("receipt", false));
    }

    private void nestedIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> engine.execute(CHARGE, inner -> "inner"))
                .withMessage(
                        "This thread is already running the key (scope card.charge, digest %s): a key nested in itself"
                                + " can never finish; use another key for the inner call",
                        engine.ref().digest());
    }
}
