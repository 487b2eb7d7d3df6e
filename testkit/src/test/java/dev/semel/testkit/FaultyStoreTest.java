// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Digest;
import dev.semel.claim.Status;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.SweepReport;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Verdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultyStoreTest {
    private final MemoryClaimStore memory = new MemoryClaimStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final ClaimRef ref = new ClaimRef("acme", new Digest(new byte[Digest.LENGTH]));
    private final Command.Insert insert = insert(ref);

    @Test
    void withoutFaultsItBehavesLikeTheWrappedStore() {
        assertThat(store.apply(List.of(insert))).hasOnlyElementsOfType(Verdict.Applied.class);
        assertThat(store.read(List.of(ref))).containsOnlyKeys(ref);
        assertThat(store.sweep(10)).isEqualTo(SweepReport.NOTHING);
    }

    @Test
    void aFailureBeforeLeavesNothingBehind() {
        Fault fault = store.onApply().failBefore();

        assertThat(kindOf(() -> store.apply(List.of(insert)))).isEqualTo(Kind.UNREACHABLE);

        assertThat(memory.read(List.of(ref))).isEmpty();
        assertThat(fault.hits()).isEqualTo(1);
    }

    @Test
    void aFailureAfterLeavesTheEffectBehind() {
        store.onApply().failAfter();

        assertThat(kindOf(() -> store.apply(List.of(insert)))).isEqualTo(Kind.UNREACHABLE);

        assertThat(memory.read(List.of(ref))).containsOnlyKeys(ref);
    }

    @Test
    void rejectedAndBusyCallsLeaveNothingBehind() {
        store.onApply().nth(1).reject();
        store.onApply().nth(2).busy();

        assertThat(kindOf(() -> store.apply(List.of(insert)))).isEqualTo(Kind.REJECTED);
        assertThat(kindOf(() -> store.apply(List.of(insert)))).isEqualTo(Kind.BUSY);

        assertThat(memory.read(List.of(ref))).isEmpty();
    }

    @Test
    void byDefaultOnlyTheNextCallFails() {
        store.onRead().failBefore();

        assertThat(kindOf(() -> store.read(List.of(ref)))).isEqualTo(Kind.UNREACHABLE);
        assertThat(store.read(List.of(ref))).isEmpty();
    }

    @Test
    void theNthCallFailsAndNoOther() {
        Fault third = store.onSweep().nth(3).busy();

        store.sweep(1);
        store.sweep(1);
        assertThat(kindOf(() -> store.sweep(1))).isEqualTo(Kind.BUSY);
        store.sweep(1);
        assertThat(third.hits()).isEqualTo(1);
    }

    @Test
    void theNextSoManyCallsFail() {
        store.onSweep().times(2).busy();

        assertThat(kindOf(() -> store.sweep(1))).isEqualTo(Kind.BUSY);
        assertThat(kindOf(() -> store.sweep(1))).isEqualTo(Kind.BUSY);
        assertThat(store.sweep(1)).isEqualTo(SweepReport.NOTHING);
    }

    @Test
    void everyCallFailsUntilTheStoreIsHealed() {
        Fault fault = store.onSweep().always().failBefore();
        for (int i = 0; i < 5; i++) {
            assertThat(kindOf(() -> store.sweep(1))).isEqualTo(Kind.UNREACHABLE);
        }

        store.heal();

        assertThat(store.sweep(1)).isEqualTo(SweepReport.NOTHING);
        assertThat(fault.hits()).isEqualTo(5);
    }

    @Test
    void onlyBatchesWithSuchACommandFail() {
        Fault fault = store.onApplyOf(Command.Settle.class).failBefore();

        store.apply(List.of(insert));
        Command.Settle settle =
                settle(memory.read(List.of(ref)).values().iterator().next(), Status.SUCCEEDED);
        assertThat(kindOf(() -> store.apply(List.of(insert, settle)))).isEqualTo(Kind.UNREACHABLE);

        assertThat(fault.hits()).isEqualTo(1);
    }

    @Test
    void aCallThatHangsBeforeHasItsEffectOnceItIsReleased() {
        Fault hang = store.onApply().hangBefore();
        CompletableFuture<List<Verdict>> call = CompletableFuture.supplyAsync(() -> store.apply(List.of(insert)));
        hang.awaitHit();
        assertThat(call).isNotDone();
        assertThat(store.read(List.of(ref))).as("others get past it").isEmpty();

        hang.release();

        assertThat(call.join()).hasOnlyElementsOfType(Verdict.Applied.class);
        assertThat(memory.read(List.of(ref))).containsOnlyKeys(ref);
    }

    @Test
    void aCallThatHangsAfterHasItsEffectBeforeItIsReleased() {
        Fault hang = store.onApply().hangAfter();
        CompletableFuture<List<Verdict>> call = CompletableFuture.supplyAsync(() -> store.apply(List.of(insert)));
        await().until(() -> !memory.read(List.of(ref)).isEmpty());
        assertThat(call).isNotDone();

        store.heal();

        assertThat(call.join()).hasOnlyElementsOfType(Verdict.Applied.class);
        assertThat(hang.hits()).isEqualTo(1);
    }

    @Test
    void aHangingCallEndsWhenItsThreadIsInterrupted() {
        store.onApply().hangBefore();
        Thread.currentThread().interrupt();

        assertThat(kindOf(() -> store.apply(List.of(insert)))).isEqualTo(Kind.UNREACHABLE);

        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    }

    @Test
    void aCoincidenceHappensBeforeTheCall() {
        AtomicInteger before = new AtomicInteger(-1);
        store.onApply().meanwhile(() -> before.set(memory.read(List.of(ref)).size()));

        store.apply(List.of(insert));

        assertThat(before).hasValue(0);
        assertThat(memory.read(List.of(ref))).hasSize(1);
    }

    @Test
    void callsAreCountedFromOne() {
        assertThatThrownBy(() -> store.onApply().nth(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.onApply().times(0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Kind kindOf(ThrowingCallable call) {
        return catchThrowableOfType(StoreException.class, call).kind();
    }
}
