// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.ClaimEvent.Kind;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The engine with a store that fails during a claim. Rows are those of docs/failures.md. */
class EngineUnderFaultsTest extends EngineScenario {

    @Test
    void row10_unknownCommitOfAClaim_isOneRun() {
        Fault lost = store.onApplyOf(Command.Insert.class).times(2).failAfter();

        assertThat(pay(semel)).isEqualTo(done("paid"));

        assertThat(lost.hits()).isEqualTo(2);
        assertThat(effects).hasValue(1);
        assertThat(claim().attempt()).isEqualTo(1);
        assertThat(pay(semel)).isEqualTo(replayed("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row10_unknownCommitOfAClaimWithAliases_isOneRun() {
        Fault lost = store.onApplyOf(Command.Insert.class).times(2).failAfter();

        assertThat(semel.execute(PAY, KEY.alsoKnownAs("tx_9"), Fingerprint.NONE, run -> effect("paid")))
                .isEqualTo(done("paid"));

        assertThat(lost.hits()).isEqualTo(2);
        assertThat(claim().attempt()).isEqualTo(1);
        assertThat(semel.execute(PAY, PAY.key("acme", "tx_9"), run -> effect("again")))
                .isEqualTo(replayed("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row10_claimThatNeverArrived_isSentAgain() {
        store.onApplyOf(Command.Insert.class).times(2).failBefore();

        assertThat(pay(semel)).isEqualTo(done("paid"));
        assertThat(effects).hasValue(1);
    }

    /** A new command would find the claim of the first one in progress, and wait for a whole lease. */
    @Test
    void row10_claimIsSentAgainAsTheSameCommand() {
        store.onApplyOf(Command.Insert.class).failAfter();

        pay(semel);

        assertThat(recorder.commands().stream().filter(command -> command instanceof Command.Insert))
                .hasSize(2)
                .containsOnly(recorder.commands().get(0));
    }

    @Test
    void row10_unknownCommitOfATakeOver_isOneMoreAttemptAndNotTwo() {
        semel.execute(PAY, KEY, run -> {
            throw new IOException("no");
        });
        Fault lost = store.onApplyOf(Command.TakeOver.class).failAfter();

        assertThat(pay(semel)).isEqualTo(done("paid"));

        assertThat(lost.hits()).isEqualTo(1);
        assertThat(effects).hasValue(1);
        assertThat(claim().attempt()).isEqualTo(2);
    }

    @Test
    void row11_rowSweptBetweenInsertAndTakeOver_isClaimedAnew() {
        pay(semel, "long ago");
        clock.advance(PAY.terms().ttl().orElseThrow().plusHours(1));
        Fault swept = store.onApplyOf(Command.TakeOver.class).meanwhile(() -> memory.sweep(10));

        assertThat(pay(semel, "now")).isEqualTo(done("now"));

        assertThat(swept.hits()).isEqualTo(1);
        assertThat(claim().attempt()).isEqualTo(1);
        assertThat(effects).hasValue(2);
    }

    @Test
    void row11_rowThatKeepsVanishing_isUnavailableAndNothingRuns() {
        AtomicInteger calls = new AtomicInteger();
        Semel haunted = engineOn(
                answering(command -> {
                    calls.incrementAndGet();
                    return new Verdict.Refused(null);
                }),
                Duration.ofSeconds(30));

        assertThat(pay(haunted)).isInstanceOf(Outcome.Unavailable.class);

        assertThat(calls.get()).as("rounds").isBetween(2, 20);
        assertThat(effects).hasValue(0);
    }

    @Test
    void row12_busyStore_isTriedAgain() {
        Fault busy = store.onApplyOf(Command.Insert.class).times(3).busy();
        Fault busyAgain = store.onApplyOf(Command.Settle.class).times(3).busy();

        assertThat(pay(semel)).isEqualTo(done("paid"));

        assertThat(busy.hits()).isEqualTo(3);
        assertThat(busyAgain.hits()).isEqualTo(3);
        assertThat(effects).hasValue(1);
    }

    @Test
    void row12_storeThatStaysBusy_isUnavailableAndSaysSo() {
        Fault busy = store.onApply().always().busy();

        Outcome<String> outcome = pay(shortTimeoutEngine());

        Outcome.Unavailable<?> unavailable = assertInstanceOf(Outcome.Unavailable.class, outcome);
        assertThat(unavailable.reason()).contains("busy");
        assertThat(busy.hits()).as("tries").isBetween(2, 100);
        assertThat(effects).hasValue(0);
    }

    /** A command of a batch can fail alone. Its caller must see the same as if the whole store had failed. */
    @Test
    void row12_commandThatFailsAlone_isTriedAgain() {
        AtomicInteger calls = new AtomicInteger();
        StoreException deadlock = new StoreException(StoreException.Kind.BUSY, "a deadlock");
        Semel engine = engineOn(
                answering(command -> calls.incrementAndGet() == 1
                        ? new Verdict.Errored(deadlock)
                        : memory.apply(List.of(command)).get(0)),
                Duration.ofSeconds(30));

        assertThat(pay(engine)).isEqualTo(done("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row35_storeThatIsDown_isUnavailableInTimeAndNothingRuns() {
        store.onApply().always().failBefore();
        store.onRead().always().failBefore();
        Semel hasty = shortTimeoutEngine();
        long start = System.nanoTime();

        assertThat(pay(hasty)).isInstanceOf(Outcome.Unavailable.class);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT_TIMEOUT.multipliedBy(20));
        assertThat(effects).hasValue(0);
        assertThat(heard(Kind.UNAVAILABLE)).isTrue();
        store.heal();
        assertThat(pay(semel)).isEqualTo(done("paid"));
    }

    @Test
    void row35_storeWithADefect_isUnavailableInTimeAndNothingRuns() {
        IllegalStateException defect = new IllegalStateException("a defect");
        Semel engine = engineOn(
                answering(command -> {
                    throw defect;
                }),
                SHORT_TIMEOUT);

        Outcome.Unavailable<?> unavailable = assertInstanceOf(Outcome.Unavailable.class, pay(engine));

        assertThat(unavailable.cause()).hasCause(defect);
        assertThat(effects).hasValue(0);
    }

    @Test
    void row35_rejectedClaim_isUnavailableAtOnceAndNothingRuns() {
        Fault rejected = store.onApply().always().reject();

        assertThat(pay(semel)).isInstanceOf(Outcome.Unavailable.class);

        assertThat(rejected.hits()).as("a rejected command is not retried").isEqualTo(1);
        assertThat(effects).hasValue(0);
    }

    /** A claim that is granted after its caller stopped waiting would block its key for a whole lease. */
    @Test
    void row35_hangingClaim_isUnavailable_andGivenBackWhenItIsGrantedTooLate() {
        givenBack(store.onApplyOf(Command.Insert.class).hangBefore());
    }

    @Test
    void row35_claimWithALateAnswer_isUnavailable_andGivenBack() {
        givenBack(store.onApplyOf(Command.Insert.class).hangAfter());
    }

    private void givenBack(Fault hang) {
        assertThat(pay(shortTimeoutEngine())).isInstanceOf(Outcome.Unavailable.class);
        assertThat(hang.hits()).isEqualTo(1);
        assertThat(effects).hasValue(0);

        hang.release();

        await().until(() -> !memory.read(List.of(semel.refOf(KEY))).isEmpty() && claim().status() == Status.RETRYABLE);
        assertThat(pay(semel)).isEqualTo(done("paid"));
        assertThat(effects).hasValue(1);
    }

    @Test
    void row35_waitingDuplicate_goesOnWaitingWhileTheStoreIsSilent() {
        Semel hasty = shortTimeoutEngine();
        Operation<String> waiting = PAY.waitingUpTo(Duration.ofSeconds(30));
        CompletableFuture<Outcome<String>> duplicate = new CompletableFuture<>();

        Outcome<String> first = otherProcess().execute(PAY, KEY, run -> {
            Fault firstLook =
                    store.onRead().meanwhile(() -> store.onApply().always().failBefore());
            Fault silent = store.onRead().always().failBefore();
            hasty.executeAsync(waiting, KEY, again -> CompletableFuture.completedFuture(effect("paid twice")))
                    .thenAccept(duplicate::complete);
            firstLook.awaitHit();
            // Within its timeout a read is tried fewer than ten times, so it timed out at least once.
            await().until(() -> silent.hits() > 12);
            assertThat(duplicate).isNotDone();
            store.heal();
            return effect("paid");
        });

        assertThat(first).isEqualTo(done("paid"));
        assertThat(duplicate.join()).isEqualTo(replayed("paid"));
        assertThat(effects).hasValue(1);
    }

    /** A store that answers every write like this. */
    private static ClaimStore answering(Function<Command, Verdict> answer) {
        return new ClaimStore() {
            @Override
            public List<Verdict> apply(List<? extends Command> commands) {
                return commands.stream().<Verdict>map(answer).toList();
            }

            @Override
            public Map<ClaimRef, Snapshot> read(Collection<ClaimRef> refs) {
                return Map.of();
            }

            @Override
            public SweepReport sweep(int limit) {
                return SweepReport.NOTHING;
            }
        };
    }
}
