// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.ClaimEvent.Kind;
import dev.semel.ClaimOutcome;
import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Ownership;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.Terms;
import dev.semel.spi.Command;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settlements with a store that fails. Rows are those of docs/failures.md. */
class SettlementUnderFaultsTest extends EngineScenario {

    @Test
    void row10_unknownCommitOfASettlement_isSucceededAndReplayable() {
        Fault lost = store.onApplyOf(Command.Settle.class).times(2).failAfter();

        assertThat(pay(semel)).isEqualTo(done("paid"));

        assertThat(lost.hits()).isEqualTo(2);
        assertThat(heard(Kind.OWNERSHIP_LOST)).isFalse();
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row10_unknownCommitOfAFailure_isRetryableAndRunAgainOnce() {
        store.onApplyOf(Command.Settle.class).failAfter();

        Outcome<String> outcome = semel.execute(PAY, KEY, run -> {
            throw new IOException("no");
        });

        assertThat(outcome).isInstanceOf(Outcome.Retryable.class);
        assertThat(pay(semel)).isEqualTo(done("paid"));
        assertThat(claim().attempt()).isEqualTo(2);
    }

    @Test
    void row35_settlementThatNeverArrives_isUnsettledWithItsValue() {
        store.onApplyOf(Command.Settle.class).always().failBefore();

        Outcome<String> outcome = pay(shortTimeoutEngine());

        Outcome.Unsettled<?> unsettled = assertInstanceOf(Outcome.Unsettled.class, outcome);
        assertThat(unsettled.value()).isEqualTo("paid");
        assertThat(unsettled.failure()).isNull();
        assertThat(unsettled.lost()).isFalse();
        assertThat(heard(Kind.SETTLEMENT_FAILED)).isTrue();
        assertThat(claim().status()).isEqualTo(Status.IN_PROGRESS);
    }

    @Test
    void row35_failureThatCannotBeWrittenDown_isUnsettledWithItsCause() {
        store.onApplyOf(Command.Settle.class).always().failBefore();
        IOException failure = new IOException("no");

        Outcome<String> outcome = shortTimeoutEngine().execute(PAY, KEY, run -> {
            throw failure;
        });

        Outcome.Unsettled<?> unsettled = assertInstanceOf(Outcome.Unsettled.class, outcome);
        assertThat(unsettled.value()).isNull();
        assertThat(unsettled.failure()).isSameAs(failure);
        assertThat(unsettled.lost()).isFalse();
    }

    /** The caller receives its outcome in time, and the settlement is retried while the lease lasts. */
    @Test
    void row35_settlementThatHangs_isUnsettled_andReplayableOnceItArrived() {
        Fault hang = store.onApplyOf(Command.Settle.class).hangBefore();

        Outcome<String> outcome = pay(shortTimeoutEngine());

        assertThat(assertInstanceOf(Outcome.Unsettled.class, outcome).value()).isEqualTo("paid");
        assertThat(pay(semel)).as("before the settlement arrived").isInstanceOf(Outcome.InProgress.class);
        hang.release();
        await().until(() -> claim().status() == Status.SUCCEEDED);
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row35_settlementThatFailsForAWhile_isSentUntilItArrives() {
        Fault down = store.onApplyOf(Command.Settle.class).always().failBefore();
        assertThat(pay(shortTimeoutEngine())).isInstanceOf(Outcome.Unsettled.class);
        int tries = down.hits();

        // The caller has its outcome. The retries continue in the background.
        await().until(() -> down.hits() > tries);
        store.heal();

        await().until(() -> claim().status() == Status.SUCCEEDED);
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
    }

    @Test
    void row45_resultThatTheStoreRejects_isATombstoneAndNeverASecondRun() {
        Fault rejected = store.onApplyOf(Command.Settle.class).reject();

        assertThat(pay(semel)).as("the first caller's outcome").isEqualTo(done("paid"));

        assertThat(rejected.hits()).isEqualTo(1);
        assertThat(pay(semel)).isInstanceOf(Outcome.Tombstone.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void row45_storeThatRejectsTheTombstoneToo_isUnsettled() {
        Fault rejected = store.onApplyOf(Command.Settle.class).always().reject();

        Outcome<String> outcome = pay(semel);

        assertThat(assertInstanceOf(Outcome.Unsettled.class, outcome).value()).isEqualTo("paid");
        assertThat(rejected.hits()).isEqualTo(2);
        assertThat(heard(Kind.SETTLEMENT_FAILED)).isTrue();
    }

    @Test
    void row45_resultThatCannotBeEncoded_isATombstoneAndNeverASecondRun() {
        Operation<String> unwritable = Operation.of(
                "pay",
                Codec.of(
                        value -> {
                            throw new IllegalArgumentException("not " + value);
                        },
                        stored -> stored.text()));

        assertThat(semel.execute(unwritable, KEY, run -> effect("paid"))).isEqualTo(done("paid"));

        Outcome<String> duplicate = semel.execute(unwritable, KEY, run -> effect("paid twice"));
        assertThat(assertInstanceOf(Outcome.Tombstone.class, duplicate).why())
                .contains("IllegalArgumentException")
                .doesNotContain("paid");
        assertThat(effects).hasValue(1);
    }

    @Test
    void row45_resultThatCannotBeDecodedLater_isATombstoneAndNeverASecondRun() {
        Operation<String> unreadable = Operation.of("pay", Codec.of(Commands::text, stored -> {
            throw new IllegalArgumentException("no such class any more");
        }));

        assertThat(semel.execute(unreadable, KEY, run -> effect("paid"))).isEqualTo(done("paid"));

        assertThat(semel.execute(unreadable, KEY, run -> effect("paid twice"))).isInstanceOf(Outcome.Tombstone.class);
        assertThat(effects).hasValue(1);
    }

    @Test
    void row41_completedTwice_theFirstStaysAndTheSecondIsTold() {
        ClaimOutcome.Granted granted = assertInstanceOf(
                ClaimOutcome.Granted.class,
                semel.claim(KEY, Fingerprint.NONE, Terms.DEFAULT, Duration.ZERO)
                        .toCompletableFuture()
                        .join());

        assertThat(settle(granted, Status.SUCCEEDED, "paid")).isInstanceOf(Ownership.Confirmed.class);
        assertThat(settle(granted, Status.SUCCEEDED, "paid"))
                .as("the same again")
                .isInstanceOf(Ownership.Confirmed.class);
        assertThat(settle(granted, Status.SUCCEEDED, "paid otherwise")).isInstanceOf(Ownership.Lost.class);
        assertThat(settle(granted, Status.RETRYABLE, "failed")).isInstanceOf(Ownership.Lost.class);

        assertThat(pay(semel)).isEqualTo(replayed("paid"));
    }

    @Test
    void row41_completedLateButBeforeATakeOver_isConfirmed() {
        Outcome<String> outcome = semel.execute(PAY, KEY, run -> {
            clock.advance(LEASE.plusMinutes(1));
            return effect("paid late");
        });

        assertThat(outcome).isEqualTo(done("paid late"));
        assertThat(pay(semel)).isEqualTo(replayed("paid late"));
    }

    private Ownership settle(ClaimOutcome.Granted granted, Status status, String result) {
        return semel.settle(granted.claim(), status, Commands.text(result), null)
                .toCompletableFuture()
                .join();
    }
}
