// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.settle;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.claim.Status;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A sweep decides and acts atomically. It does not touch claims that are claimed, taken over or settled concurrently. */
abstract class SweepingRacesContract extends ContractGroup {
    private static final int ROUNDS = 15;
    private static final int CLAIMS = 8;

    SweepingRacesContract(ClaimStoreContract contract) {
        super(contract);
    }

    /** Whichever comes first, the sweep or the take-over, at most one owner exists, and it is the stored one. */
    @Test
    void anExpiredClaimThatIsClaimedWhileItIsSweptNeverHasTwoOwners() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Snapshot> expired = some(() -> expired(Status.SUCCEEDED));
            List<Command> takeOvers =
                    expired.stream().<Command>map(Commands::takeOver).toList();
            List<Command> inserts =
                    expired.stream().<Command>map(claim -> insert(claim.ref())).toList();

            List<List<Verdict>> verdicts = ConcurrentThreads.run(
                    List.of(oneByOne(store(), takeOvers), sweeping(), oneByOne(secondStore(), inserts)));

            for (int i = 0; i < CLAIMS; i++) {
                Verdict takenOver = verdicts.get(0).get(i);
                Verdict inserted = verdicts.get(2).get(i);
                Snapshot before = expired.get(i);
                List<Snapshot> owners = Stream.of(takenOver, inserted)
                        .filter(verdict -> verdict instanceof Verdict.Applied)
                        .map(verdict -> appliedOf(store(), verdict))
                        .toList();
                if (owners.isEmpty()) {
                    // The insert ran before the sweep and the take-over after it.
                    assertThat(isAbsent(before.ref())).isTrue();
                } else {
                    assertThat(owners).hasSize(1);
                    assertThat(owners.get(0).fence()).isGreaterThan(before.fence());
                    assertThat(timeless(read(before.ref()))).isEqualTo(timeless(owners.get(0)));
                }
            }
        }
    }

    /** The sweep may release the claim before the take-over, or find it running afterwards. The new owner keeps it. */
    @Test
    void anAbandonedClaimThatIsTakenOverWhileItIsSweptStaysWithItsNewOwner() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Command> takeOvers = some(this::abandoned).stream()
                    .<Command>map(claim -> takeOver(claim))
                    .toList();

            List<List<Verdict>> verdicts =
                    ConcurrentThreads.run(List.of(oneByOne(store(), takeOvers), sweeping(), sweeping()));

            for (Verdict verdict : verdicts.get(0)) {
                Snapshot taken = appliedOf(store(), verdict);
                assertThat(timeless(read(taken.ref()))).isEqualTo(timeless(taken));
            }
        }
    }

    /** A late owner succeeds if it is first. Otherwise it is refused. */
    @Test
    void anAbandonedClaimThatIsSettledWhileItIsSweptKeepsTheFirstOfTheTwo() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Command> settlements = some(this::abandoned).stream()
                    .<Command>map(claim -> settle(claim, Status.SUCCEEDED, "after all"))
                    .toList();

            List<List<Verdict>> verdicts =
                    ConcurrentThreads.run(List.of(oneByOne(secondStore(), settlements), sweeping()));

            for (Verdict verdict : verdicts.get(0)) {
                Snapshot shown = verdict instanceof Verdict.Applied ? appliedOf(store(), verdict) : refusedOf(verdict);
                assertThat(shown.status())
                        .isEqualTo(verdict instanceof Verdict.Applied ? Status.SUCCEEDED : Status.RETRYABLE);
                assertThat(timeless(read(shown.ref()))).isEqualTo(timeless(shown));
            }
        }
    }

    private Snapshot abandoned() {
        Snapshot claim = running();
        age(claim.ref(), PAST_ALL);
        return claim;
    }

    private static List<Snapshot> some(Supplier<Snapshot> claim) {
        return Stream.generate(claim).limit(CLAIMS).toList();
    }

    private static Callable<List<Verdict>> oneByOne(ClaimStore store, List<Command> commands) {
        return () -> {
            List<Verdict> verdicts = new ArrayList<>();
            for (Command command : commands) {
                verdicts.add(verdict(store, command));
            }
            return verdicts;
        };
    }

    private Callable<List<Verdict>> sweeping() {
        return () -> {
            for (int i = 0; i < CLAIMS; i++) {
                secondStore().sweep(3);
            }
            return List.of();
        };
    }
}
