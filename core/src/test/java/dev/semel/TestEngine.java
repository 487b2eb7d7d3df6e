// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.RecordId;
import dev.semel.claim.Terms;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** An engine on a memory store with a test clock, and views of both for tests. */
final class TestEngine implements AutoCloseable {
    static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text());
    static final ClaimKey KEY = CHARGE.key("acme", "order-17");

    final TestClock clock;
    final MemoryClaimStore memory;
    final ObservedStore store;
    final RecordedEvents journal = new RecordedEvents();
    final Semel semel;

    TestEngine() {
        this(builder -> builder);
    }

    TestEngine(UnaryOperator<SemelBuilder> settings) {
        this(new TestClock(), settings);
    }

    private TestEngine(TestClock clock, UnaryOperator<SemelBuilder> settings) {
        this(clock, new MemoryClaimStore(clock), settings);
    }

    private TestEngine(TestClock clock, MemoryClaimStore memory, UnaryOperator<SemelBuilder> settings) {
        this.clock = clock;
        this.memory = memory;
        this.store = new ObservedStore(memory);
        SemelBuilder builder = Semel.on(store)
                .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
                .listener(journal)
                .withoutSweep();
        semel = settings.apply(builder).build();
    }

    /** The engine of another process on the same store. */
    TestEngine another() {
        return new TestEngine(clock, memory, builder -> builder);
    }

    Outcome<String> execute(Operation<String> operation, Work<String> work) {
        return semel.execute(operation, KEY, work);
    }

    /** As {@link #execute}, by a caller that makes no call to the store itself, so that timeouts apply to it. */
    Outcome<String> executeAsync(Operation<String> operation, Work<String> work) {
        return get(semel.executeAsync(operation, KEY, run -> {
            try {
                return CompletableFuture.completedFuture(work.run(run));
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }));
    }

    /** Calls from another thread. */
    static <T> CompletableFuture<T> inBackground(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> new Thread(task, "background").start());
    }

    /** Calls from another thread, and waits until the work has begun. */
    CompletableFuture<Outcome<String>> start(Operation<String> operation, HeldWork work) {
        CompletableFuture<Outcome<String>> outcome = inBackground(() -> execute(operation, work));
        work.context();
        return outcome;
    }

    /** A claim on {@link #KEY} that another process holds. */
    Claim claimedElsewhere(Operation<String> operation) {
        return claimedElsewhere(Fingerprint.NONE, operation.terms());
    }

    Claim claimedElsewhere(Fingerprint fingerprint, Terms terms) {
        return ((ClaimOutcome.Granted) claim(fingerprint, terms)).claim();
    }

    ClaimOutcome claim(Fingerprint fingerprint, Terms terms) {
        return get(semel.claim(KEY, fingerprint, terms, Duration.ZERO));
    }

    /** Ends the lease of {@link #KEY} and lets another owner take over, even if renewals happen in between. */
    void takeOverElsewhere() {
        boolean taken = false;
        while (!taken) {
            Snapshot seen = stored();
            clock.advance(seen.leaseLeft());
            Command takeOver = new Command.TakeOver(
                    ref(), seen.token(), OwnerToken.random(), RecordId.random(), Fingerprint.NONE, Terms.DEFAULT);
            taken = memory.apply(List.of(takeOver)).get(0) instanceof Verdict.Applied;
        }
    }

    ClaimRef ref() {
        return semel.refOf(KEY);
    }

    /** The claim on {@link #KEY} as it is stored. */
    Snapshot stored() {
        return Objects.requireNonNull(memory.read(List.of(ref())).get(ref()), "There is no claim");
    }

    void age(Duration by) {
        memory.age(ref(), by);
    }

    /** The stage's value; fails the test if it takes too long. */
    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("No value", e);
        }
    }

    /** Waits for the latch; fails the test if it takes too long. */
    static void meet(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("The latch was not released");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("The latch was not released", e);
        }
    }

    @Override
    public void close() {
        semel.close();
    }
}
