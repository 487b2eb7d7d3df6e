// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static dev.semel.testkit.Commands.insert;
import static dev.semel.testkit.Commands.takeOver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Of many concurrent callers, through several instances, exactly one is granted the claim. The tests count. */
abstract class ConcurrencyContract extends ContractGroup {
    private static final int THREADS = 16;
    private static final int KEYS = 50;

    ConcurrencyContract(ClaimStoreContract contract) {
        super(contract);
    }

    @Test
    void ofManyInsertsOneIsAppliedForEveryKey() {
        List<ClaimRef> refs = newRefs(KEYS);

        List<Snapshot> owners = winners(refs, Commands::insert);

        assertThat(owners).extracting(Snapshot::ref).containsExactlyInAnyOrderElementsOf(refs);
        assertThat(owners)
                .allSatisfy(owner -> assertThat(timeless(read(owner.ref()))).isEqualTo(timeless(owner)));
    }

    @Test
    void ofManyTakeOversOneIsAppliedForEveryLapsedClaim() {
        List<Snapshot> lapsed =
                IntStream.range(0, KEYS).mapToObj(i -> lapsed(Terms.DEFAULT)).toList();

        List<Snapshot> owners = winners(lapsed, Commands::takeOver);

        assertThat(owners)
                .extracting(Snapshot::ref)
                .containsExactlyInAnyOrderElementsOf(
                        lapsed.stream().map(Snapshot::ref).toList());
        assertThat(owners).allSatisfy(owner -> {
            assertThat(owner.attempt()).isEqualTo(2);
            assertThat(timeless(read(owner.ref()))).isEqualTo(timeless(owner));
        });
    }

    /** All callers send their own command for every target, in the same order so that they collide. Returns the winners. */
    private <C> List<Snapshot> winners(List<C> targets, Function<C, ? extends Command> command) {
        return ConcurrentThreads.<List<Snapshot>>run(THREADS, thread -> () -> {
                    ClaimStore mine = thread % 2 == 0 ? store() : secondStore();
                    List<Snapshot> won = new ArrayList<>();
                    for (C target : targets) {
                        if (verdict(mine, command.apply(target)) instanceof Verdict.Applied applied) {
                            won.add(read(mine, applied.ref()));
                        }
                    }
                    return won;
                })
                .stream()
                .flatMap(List::stream)
                .toList();
    }

    /** A chain of owners, each of which takes over from the previous one. No two of them have the same fence. */
    @Test
    void everyAcquisitionHasAFenceOfItsOwn() {
        Snapshot claim = applied(insert(newRef(), Terms.DEFAULT.withLease(Duration.ofMillis(1))));

        List<Long> fences = ConcurrentThreads.<List<Long>>run(4, thread -> () -> {
                    ClaimStore mine = thread % 2 == 0 ? store() : secondStore();
                    List<Long> own = new ArrayList<>();
                    for (int i = 0; i < 100; i++) {
                        Snapshot seen = read(mine, claim.ref());
                        Command.TakeOver takeOver = takeOver(seen, Terms.DEFAULT.withLease(Duration.ofMillis(1)));
                        if (verdict(mine, takeOver) instanceof Verdict.Applied applied) {
                            own.add(applied.fence());
                        }
                    }
                    assertThat(own).isSorted();
                    return own;
                })
                .stream()
                .flatMap(List::stream)
                .toList();

        assertThat(fences).doesNotHaveDuplicates();
        assertThat(read(claim.ref()).attempt()).isEqualTo(fences.size() + 1);
    }

    /** Through the engine: two processes, many callers, one effect, one result. */
    @Test
    void twoEnginesRunEveryEffectOnceAndReturnTheSameResultToAll() {
        Operation<String> operation = Operation.of(Commands.SCOPE, Codec.text()).waitingUpTo(Duration.ofMinutes(1));
        List<String> keys = IntStream.range(0, 20).mapToObj(i -> "key-" + i).toList();
        Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
        try (Semel one = engine(store());
                Semel other = engine(secondStore())) {
            List<Map<String, Outcome<String>>> answers = ConcurrentThreads.run(8, thread -> () -> {
                Semel mine = thread % 2 == 0 ? one : other;
                Map<String, Outcome<String>> own = new ConcurrentHashMap<>();
                for (String key : keys) {
                    own.put(key, mine.execute(operation, operation.key(tenant, key), run -> {
                        effects.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
                        return key + " done by thread " + thread;
                    }));
                }
                return own;
            });

            for (String key : keys) {
                List<Outcome<String>> outcomes =
                        answers.stream().map(own -> own.get(key)).toList();
                assertThat(effects.get(key)).as("effects of %s", key).hasValue(1);
                assertThat(outcomes.stream().map(Outcome::orElseThrow).distinct())
                        .as("answers of %s", key)
                        .hasSize(1);
                assertThat(outcomes)
                        .as("answers of %s", key)
                        .filteredOn(outcome -> outcome instanceof Outcome.Succeeded<String> own && !own.replayed())
                        .hasSize(1);
            }
        }
    }

    private static Semel engine(ClaimStore store) {
        return Semel.on(store).secrets(Secrets.of(SECRET)).withoutSweep().build();
    }
}
