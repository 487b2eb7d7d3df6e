// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.claim.ClaimRef;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The store and {@link MemoryClaimStore} agree after every step of random histories. */
abstract class ModelAgreementContract extends ContractGroup {
    private static final int STEPS = 150;
    private static final int SEEDS = 9;

    /** A claim is given back after its maximum run time and then renewed: its lease must not end later than before. */
    private static final long GIVEN_BACK_LATE = -2_176_994_521_471_445_175L;

    /** The sweep postpones a claim that must be reconciled; it is then given back as one that may run again. */
    private static final long POSTPONED_THEN_GIVEN_BACK = -9_123_773_543_932_439_591L;

    /** A lease is renewed to the end of the run, and then to nothing. */
    private static final long RENEWED_THEN_ENDED = 8_702_864_271_021_689_882L;

    ModelAgreementContract(ClaimStoreContract contract) {
        super(contract);
    }

    /** How many fixed seeds are used. */
    int seeds() {
        return SEEDS;
    }

    /** Compares more than the claims themselves, after every step. */
    void compareViews(MemoryClaimStore model, String ofTenant, List<ClaimRef> refs, Supplier<String> context) {}

    /** The same seeds every time, and a new one. A failure names its seed. */
    @TestFactory
    Stream<DynamicTest> randomHistoriesAgreeWithTheModel() {
        return LongStream.concat(
                        LongStream.rangeClosed(1, seeds()),
                        LongStream.of(
                                GIVEN_BACK_LATE,
                                POSTPONED_THEN_GIVEN_BACK,
                                RENEWED_THEN_ENDED,
                                new Random().nextLong()))
                .mapToObj(seed -> dynamicTest("seed " + seed, () -> new History(seed).replay()));
    }

    private final class History {
        private final long seed;
        private final Random random;
        /** The histories of one factory share its instance and its tenant, so each needs another tenant. */
        private final String narrator = tenant + "-" + UUID.randomUUID();

        private final List<ClaimRef> refs = Stream.of("a", "b", "c", "d")
                .map(key -> refOf(narrator, Commands.SCOPE, key))
                .toList();
        private final RandomCommands commands;
        /** With aliases every command is sent alone, because a batch has no order between claims that an alias may join. */
        private final boolean aliased;

        private final MemoryClaimStore model = new MemoryClaimStore();
        private final Map<ClaimRef, Long> fences = new HashMap<>();
        private final Map<ClaimRef, Long> modelFences = new HashMap<>();
        private final List<String> story = new ArrayList<>();

        History(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.aliased = random.nextBoolean();
            this.commands = new RandomCommands(random, refs, aliased);
        }

        void replay() {
            for (int step = 0; step < STEPS; step++) {
                ClaimStore real = random.nextBoolean() ? store() : secondStore();
                switch (random.nextInt(12)) {
                    case 0, 1, 2, 3 -> age(commands.ref(), commands.age());
                    case 4 -> sweep();
                    default -> send(real, aliased ? commands.one(model.read(refs)) : commands.batch(model.read(refs)));
                }
                compare(real);
            }
        }

        private void age(ClaimRef ref, Duration by) {
            story.add("age " + ref.digest() + " by " + by);
            model.age(ref, by);
            ModelAgreementContract.this.age(ref, by);
        }

        private void sweep() {
            story.add("sweep");
            model.sweep(1_000);
            sweepAll();
        }

        private void send(ClaimStore real, List<Command> batch) {
            List<Verdict> expected = model.apply(batch);
            List<Verdict> verdicts = real.apply(batch);
            assertThat(verdicts).as(this::context).hasSameSizeAs(expected);
            for (int i = 0; i < batch.size(); i++) {
                Command command = batch.get(i);
                story.add(command.getClass().getSimpleName() + " on "
                        + command.ref().digest() + ": "
                        + expected.get(i).getClass().getSimpleName());
                assertThat(ComparableClaim.of(verdicts.get(i)))
                        .as(this::context)
                        .isEqualTo(ComparableClaim.of(expected.get(i)));
            }
        }

        private void compare(ClaimStore real) {
            Map<ClaimRef, Snapshot> expected = model.read(refs);
            Map<ClaimRef, Snapshot> found = real.read(refs);
            for (ClaimRef ref : refs) {
                Snapshot modelled = expected.get(ref);
                Snapshot stored = found.get(ref);
                assertThat(ComparableClaim.of(stored)).as(this::context).isEqualTo(ComparableClaim.of(modelled));
                if (stored != null && modelled != null) {
                    assertThat(growth(fences, stored))
                            .as(() -> "growth of the fence; " + context())
                            .isEqualTo(growth(modelFences, modelled));
                }
            }
            compareViews(model, narrator, refs, this::context);
        }

        /** Whether the fence is greater than when the claim was last seen (1), the same (0) or smaller (-1). */
        private int growth(Map<ClaimRef, Long> before, Snapshot now) {
            Long last = before.put(now.ref(), now.fence());
            return last == null ? 1 : Long.compare(now.fence(), last);
        }

        private String context() {
            return "seed " + seed + ", after\n  "
                    + String.join("\n  ", story.subList(Math.max(0, story.size() - 12), story.size())) + "\n";
        }
    }
}
