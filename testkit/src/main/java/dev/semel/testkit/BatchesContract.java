// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.renew;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A batch has the effect of its commands one by one. Concurrent batches over the same claims do no harm. */
abstract class BatchesContract extends ContractGroup {
    BatchesContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void anEmptyBatchHasNoVerdicts() {
        assertThat(store().apply(List.of())).isEmpty();
    }

    /** Three hundred claims in every state, each with a random command, in random order: the verdicts are the model's. */
    @Test
    void aMixedBatchGivesEveryCommandItsOwnVerdictInOrder() {
        Random random = new Random(300);
        MemoryClaimStore model = new MemoryClaimStore();
        List<Command> batch = new ArrayList<>();
        for (ClaimRef ref : newRefs(300)) {
            Command.Insert insert = insert(ref);
            int state = random.nextInt(5);
            if (state > 0) {
                onBoth(model, insert);
            }
            if (state == 2) {
                age(ref, PAST_LEASE);
                model.age(ref, PAST_LEASE);
            } else if (state > 2) {
                Snapshot owned = read(model, ref);
                onBoth(model, settle(owned, state == 3 ? Status.RETRYABLE : Status.SUCCEEDED, "before"));
            }
            batch.add(some(random, insert));
        }
        Collections.shuffle(batch, random);

        List<Verdict> expected = model.apply(batch);
        List<Verdict> verdicts = store().apply(batch);

        assertThat(verdicts).hasSameSizeAs(expected);
        for (int i = 0; i < batch.size(); i++) {
            assertThat(ComparableClaim.of(verdicts.get(i)))
                    .as("verdict %d, on %s", i, batch.get(i).getClass().getSimpleName())
                    .isEqualTo(ComparableClaim.of(expected.get(i)));
        }
    }

    private void onBoth(MemoryClaimStore model, Command command) {
        applied(model, command);
        applied(command);
    }

    private Command some(Random random, Command.Insert insert) {
        Snapshot owned = applied(new MemoryClaimStore(), insert);
        return switch (random.nextInt(5)) {
            case 0 -> insert;
            case 1 -> insert(insert.ref());
            case 2 -> takeOver(owned);
            case 3 -> renew(owned, insert.terms().lease());
            default -> settle(owned, Status.SUCCEEDED, "in the batch");
        };
    }

    @Test
    void commandsOnOneClaimTakeEffectInTheirOrder() {
        ClaimRef ref = newRef();
        Command.Insert insert = insert(ref);
        Snapshot owned = applied(new MemoryClaimStore(), insert);
        Command.TakeOver again = takeOver(owned);

        List<Verdict> verdicts = store().apply(List.of(
                settle(owned, Status.SUCCEEDED, "before it was claimed"),
                insert,
                insert(ref),
                renew(owned, insert.terms().lease()),
                again,
                settle(owned, Status.RETRYABLE, "failed"),
                again,
                settle(owned, Status.SUCCEEDED, "a zombie's"),
                insert(ref)));

        assertThat(verdicts.get(0)).isEqualTo(new Verdict.Refused(null));
        assertThat(verdicts.get(1)).isInstanceOf(Verdict.Applied.class);
        assertThat(refusedOf(verdicts.get(2)).token()).isEqualTo(insert.token());
        assertThat(verdicts.get(3)).isInstanceOf(Verdict.Applied.class);
        assertThat(refusedOf(verdicts.get(4)).status()).isEqualTo(Status.IN_PROGRESS);
        assertThat(verdicts.get(5)).isInstanceOf(Verdict.Applied.class);
        assertThat(appliedOf(store(), verdicts.get(6)).token()).isEqualTo(again.token());
        assertThat(refusedOf(verdicts.get(7)).token()).isEqualTo(again.token());
        assertThat(refusedOf(verdicts.get(8)).token()).isEqualTo(again.token());
        assertThat(read(ref).attempt()).isEqualTo(2);
    }

    /** A retry can put the same command into one batch twice. */
    @Test
    void theSameCommandTwiceInOneBatchIsAppliedTwice() {
        Command.Insert insert = insert(newRef());
        Command.Settle settle = settle(applied(new MemoryClaimStore(), insert), Status.SUCCEEDED, "once");

        List<Verdict> verdicts = store().apply(List.of(insert, insert, settle, settle));

        assertThat(verdicts).hasSize(4).allMatch(verdict -> verdict instanceof Verdict.Applied);
    }

    /** The token of one claim neither shows nor changes another claim. */
    @Test
    void aTokenThatIsTriedOnAnotherClaimOfTheSameBatchIsRefusedThere() {
        Command.Insert insert = insert(newRef());
        Command.Renew owners =
                new Command.Renew(insert.ref(), insert.token(), insert.terms().lease());
        Command.Renew strangers =
                new Command.Renew(newRef(), insert.token(), insert.terms().lease());

        List<Verdict> verdicts = store().apply(List.of(insert, strangers));
        List<Verdict> reversed = store().apply(List.of(strangers, owners));

        assertThat(verdicts.get(0)).isInstanceOf(Verdict.Applied.class);
        assertThat(verdicts.get(1)).isEqualTo(new Verdict.Refused(null));
        assertThat(reversed.get(0)).isEqualTo(new Verdict.Refused(null));
        assertThat(reversed.get(1)).isInstanceOf(Verdict.Applied.class);
    }

    /** Even if their senders claim to know the claims: a token belongs to one claim. */
    @Test
    void settlementsWithExchangedTokensAreRefused() {
        Snapshot first = applied(insert(newRef()));
        Snapshot second = applied(insert(newRef()));
        Snapshot third = applied(insert(newRef()));
        for (boolean knowing : List.of(false, true)) {
            List<Command> batch = List.of(
                    exchanged(first.ref(), second, knowing),
                    exchanged(second.ref(), first, knowing),
                    exchanged(third.ref(), third, knowing),
                    exchanged(new ClaimRef("another tenant", first.ref().digest()), first, knowing));

            for (ClaimStore sender : List.of(store(), secondStore())) {
                List<Verdict> verdicts = sender.apply(batch);

                assertThat(refusedOf(verdicts.get(0)).status()).isEqualTo(Status.IN_PROGRESS);
                assertThat(refusedOf(verdicts.get(1)).status()).isEqualTo(Status.IN_PROGRESS);
                assertThat(verdicts.get(2)).isInstanceOf(Verdict.Applied.class);
                assertThat(verdicts.get(3)).isEqualTo(new Verdict.Refused(null));
            }
        }
    }

    private static Command.Settle exchanged(ClaimRef ref, Snapshot owned, boolean knowing) {
        StoredResult result = Commands.text("result");
        if (!knowing) {
            return new Command.Settle(ref, owned.token(), Status.SUCCEEDED, result, null);
        }
        Verdict.Applied granted =
                new Verdict.Applied(ref, owned.scope(), owned.record(), owned.attempt(), owned.fence(), Duration.ZERO);
        return new Command.Settle(ref, owned.token(), Status.SUCCEEDED, result, null, granted);
    }

    @Test
    void concurrentInsertsInReverseOrderHaveOneOwnerEach() {
        for (int round = 0; round < 10; round++) {
            List<ClaimRef> refs = newRefs(100);
            List<ClaimRef> reversed = new ArrayList<>(refs);
            Collections.reverse(reversed);

            List<List<Verdict>> verdicts = ConcurrentThreads.run(List.of(
                    insertsOf(store(), refs),
                    insertsOf(secondStore(), reversed),
                    insertsOf(store(), reversed),
                    insertsOf(secondStore(), refs)));

            assertThat(verdicts.stream().flatMap(List::stream))
                    .filteredOn(verdict -> verdict instanceof Verdict.Applied)
                    .extracting(verdict -> ((Verdict.Applied) verdict).ref())
                    .containsExactlyInAnyOrderElementsOf(refs);
        }
    }

    private static Callable<List<Verdict>> insertsOf(ClaimStore store, List<ClaimRef> refs) {
        return () -> store.apply(refs.stream().map(Commands::insert).toList());
    }

    /** Two lanes: one settles what the other one reads, and both insert, in opposite orders. */
    @Test
    void concurrentMixedBatchesInReverseOrderLoseNothing() {
        for (int round = 0; round < 10; round++) {
            List<Snapshot> owned = store()
                    .apply(newRefs(50).stream().map(Commands::insert).toList())
                    .stream()
                    .map(verdict -> appliedOf(store(), verdict))
                    .toList();
            List<Command> batch = new ArrayList<>();
            for (Snapshot claim : owned) {
                batch.add(settle(claim, Status.SUCCEEDED, "the answer"));
                batch.add(insert(newRef()));
                batch.add(insert(claim.ref()));
            }
            Collections.shuffle(batch, new Random(round));
            List<Command> reversed = new ArrayList<>(batch);
            Collections.reverse(reversed);

            List<List<Verdict>> verdicts = ConcurrentThreads.run(
                    List.of(() -> store().apply(batch), () -> secondStore().apply(reversed)));

            // Both sent the same commands, so both receive the same verdicts.
            for (List<Verdict> each : verdicts) {
                assertThat(each)
                        .filteredOn(verdict -> verdict instanceof Verdict.Applied)
                        .hasSize(100);
            }
            for (Command command : batch) {
                boolean fresh = command instanceof Command.Insert insert
                        && owned.stream().noneMatch(claim -> claim.ref().equals(insert.ref()));
                assertThat(read(command.ref()).status()).isEqualTo(fresh ? Status.IN_PROGRESS : Status.SUCCEEDED);
            }
        }
    }
}
