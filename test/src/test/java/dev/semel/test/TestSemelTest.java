// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import static dev.semel.test.Bank.CHARGE;
import static dev.semel.test.Bank.ORDER;
import static dev.semel.test.SemelAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.NotDoneException;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.claim.Status;
import dev.semel.key.Secrets;
import dev.semel.spi.Command;
import dev.semel.testkit.Fault;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@SemelTest
class TestSemelTest {
    private final TestSemel semel;
    private final Bank bank = new Bank();

    TestSemelTest(TestSemel semel) {
        this.semel = semel;
    }

    @Test
    void aResultExpiresByTheMovableClock() {
        assertThat(bank.charge(semel.semel())).ranNow();
        semel.advance(Duration.ofHours(24).minusMillis(1));
        assertThat(bank.charge(semel.semel())).isReplayed();

        semel.advance(Duration.ofMillis(1));
        assertThat(bank.charge(semel.semel())).ranNow();

        assertThat(semel.history(ORDER)).ran(2).wasReplayed(1);
    }

    @Test
    void anOwnerThatTakesLongerThanItsLeaseLosesTheClaim() {
        Semel other = semel.anotherProcess();

        Outcome<String> late = semel.semel().execute(CHARGE, ORDER, run -> {
            semel.advance(CHARGE.terms().maxRun());
            assertThat(bank.charge(other)).ranNow();
            return bank.charge(run);
        });

        assertThat(late).isUnsettled();
        assertThat(bank.keys()).hasSize(2).containsOnly(bank.keys().get(0));
        assertThat(bank.charge(semel.semel())).isReplayed().hasValue("receipt 1");
    }

    @Test
    void ofCallersAtTheSameMomentOneRuns() {
        AtOnce<Outcome<String>> clicks = semel.atOnce(8, () -> bank.charge(semel.semel()));

        assertThat(clicks.thrown()).isEmpty();
        assertThat(clicks.returned())
                .filteredOn(Outcome.Succeeded.class::isInstance)
                .hasSize(1);
        assertThat(clicks.returned())
                .filteredOn(Outcome.InProgress.class::isInstance)
                .hasSize(7);
        assertThat(bank.keys()).hasSize(1);
        assertThat(semel.history()).ranOnce().wasReplayed(0);
    }

    @Test
    void callersThatWaitAllReceiveTheOneResult() {
        Operation<String> patient = CHARGE.waitingUpTo(Duration.ofSeconds(30));

        AtOnce<Outcome<String>> clicks = semel.atOnce(8, () -> semel.semel().execute(patient, ORDER, bank::charge));

        assertThat(clicks.returned())
                .hasSize(8)
                .allSatisfy(outcome -> assertThat(outcome).hasValue("receipt 1"));
        assertThat(clicks.returned()).filteredOn(Outcome::isReplayed).hasSize(7);
        assertThat(semel.history(ORDER)).ranOnce().wasReplayed(7);
    }

    /** The callers of other processes cannot follow the owner: they ask the store. */
    @Test
    void callersOfTwoProcessesMeetTheSameClaim() {
        Semel other = semel.anotherProcess();
        AtomicInteger turn = new AtomicInteger();

        AtOnce<Outcome<String>> clicks =
                semel.atOnce(8, () -> bank.charge(turn.getAndIncrement() % 2 == 0 ? semel.semel() : other));

        assertThat(clicks.thrown()).isEmpty();
        assertThat(bank.keys()).hasSize(1);
        assertThat(semel.history(ORDER)).ranOnce();
    }

    /** The second lane of the engine is free, but some callers need the lane whose settlement is held. */
    @Test
    void callersWithKeysOfTheirOwnAllRun() {
        AtomicInteger number = new AtomicInteger();

        AtOnce<Outcome<String>> orders = semel.atOnce(
                16,
                () -> semel.semel()
                        .execute(CHARGE, CHARGE.key("acme", "order-" + number.incrementAndGet()), bank::charge));

        assertThat(orders.returned())
                .hasSize(16)
                .allSatisfy(outcome -> assertThat(outcome).ranNow());
        assertThat(semel.history(CHARGE.scope())).ran(16);
    }

    @Test
    void whatSomeCallersThrewIsReturned() {
        AtOnce<String> clicks = semel.atOnce(4, () -> bank.charge(semel.semel()).orElseThrow());

        assertThat(clicks.returned()).containsExactly("receipt 1");
        assertThat(clicks.thrown()).hasSize(3).hasOnlyElementsOfType(NotDoneException.InProgress.class);
    }

    @Test
    void callsMayReturnNull() {
        AtOnce<String> clicks = semel.atOnce(3, () -> null);

        assertThat(clicks.returned()).isEqualTo(Collections.nCopies(3, null));
    }

    @Test
    void oneCallerIsNotManyCallers() {
        assertThatThrownBy(() -> semel.atOnce(1, () -> "alone"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("At least 2 callers");
    }

    @Test
    void whileTheStoreIsDownNothingRuns() {
        semel.storeDown();
        assertThat(bank.charge(semel.semel())).isUnavailable();
        assertThat(bank.charge(semel.anotherProcess())).isUnavailable();
        assertThat(semel.history()).neverRan();

        semel.storeUp();
        assertThat(bank.charge(semel.semel())).ranNow();
        assertThat(bank.keys()).hasSize(1);
    }

    @Test
    void duplicatesAreUnavailableTooWhileTheStoreIsDown() {
        bank.charge(semel.semel());

        semel.storeDown();
        assertThat(bank.charge(semel.semel())).isUnavailable();

        semel.storeUp();
        assertThat(bank.charge(semel.semel())).isReplayed();
    }

    @Test
    @Timeout(60)
    void aSettlementReachesTheStoreOnceItIsUp() {
        CompletableFuture<Outcome<String>> outcome = new CompletableFuture<>();
        CompletableFuture<Void> down = new CompletableFuture<>();
        Thread owner = new Thread(() -> outcome.complete(semel.semel().execute(CHARGE, ORDER, run -> {
            semel.storeDown();
            down.complete(null);
            return bank.charge(run);
        })));
        owner.start();
        down.join();
        // It makes the first try itself, and then waits for the next one.
        while (owner.getState() != Thread.State.WAITING && owner.isAlive()) {
            Thread.onSpinWait();
        }
        assertThat(bank.charge(semel.anotherProcess())).isUnavailable();
        semel.storeUp();

        assertThat(outcome.join()).ranNow().hasValue("receipt 1");
        assertThat(bank.charge(semel.semel())).isReplayed().hasValue("receipt 1");
    }

    @Test
    void otherFaultsOfTheStoreCanBeInjected() {
        Fault lost = semel.faults().onApplyOf(Command.Settle.class).failAfter();

        assertThat(bank.charge(semel.semel())).ranNow().hasValue("receipt 1");

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(semel.history()).ranOnce();
    }

    @Test
    void aResetForgetsClaimsFaultsAndHistory() {
        bank.charge(semel.semel());
        semel.faults().onApply().always().failBefore();
        semel.storeDown();

        semel.reset();

        assertThat(semel.stored(ORDER)).isEmpty();
        assertThat(semel.history().events()).isEmpty();
        assertThat(bank.charge(semel.semel())).ranNow();
        assertThat(semel.stored(ORDER))
                .hasValueSatisfying(claim -> assertThat(claim.status()).isEqualTo(Status.SUCCEEDED));
    }

    /** What a framework's test support does: it builds the engine itself, on the parts. */
    @Test
    void anEngineCanBeBuiltOnTheParts() {
        Secrets secrets = Secrets.of("a secret of the application, 32 bytes long");
        try (TestSemel parts = TestSemel.create(secrets);
                Semel built = Semel.on(parts.store())
                        .secrets(secrets)
                        .listener(parts.listener())
                        .withoutSweep()
                        .build()) {
            parts.crashBeforeSettlement(() -> bank.charge(built));
            parts.advance(CHARGE.terms().lease());

            assertThat(bank.charge(built)).ranNow();
            assertThat(parts.history(ORDER)).ran(2);
            assertThat(bank.keys()).hasSize(2).containsOnly(bank.keys().get(0));
        }
    }

    @Test
    void anotherProcessMayHaveOtherSettings() {
        bank.charge(semel.semel());

        Semel strict = semel.anotherProcess(SemelBuilder::withoutCallerRuns);

        assertThat(bank.charge(strict)).isReplayed();
    }

    @Test
    void closingClosesAllEngines() {
        TestSemel closed = TestSemel.create();
        Semel other = closed.anotherProcess();
        closed.close();

        assertThat(bank.charge(closed.semel())).isUnavailable();
        assertThat(bank.charge(other)).isUnavailable();
        assertThat(bank.keys()).isEmpty();
    }
}
