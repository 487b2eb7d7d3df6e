// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.ClaimEvent;
import dev.semel.ClaimListener;
import dev.semel.Semel;
import dev.semel.SemelBuilder;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimEntry;
import dev.semel.spi.ClaimStore;
import dev.semel.testkit.FaultyStore;
import dev.semel.testkit.MutableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An engine in memory for tests of an application: time moves when the test says so, the process crashes where the test says
 * so, and every claim's history can be checked.
 *
 * <pre>{@code
 * semel.crashBeforeSettlement(() -> shop.charge("order-17")); // the card is charged, and the process dies
 * semel.advance(Duration.ofMinutes(5));                       // the lease of the dead owner ends
 * assertThat(shop.charge("order-17")).ranNow();               // the next caller takes over, with the same child key
 * }</pre>
 *
 * <p>{@link SemelTest} injects it into JUnit tests. Without JUnit, or in a framework's test context, {@link #create} and close
 * it. If the framework builds the engine, give it {@link #store()}, {@link #listener()} and the same secrets, and no replay
 * cache. The store's clock stands still, so a lease never ends by itself; the engine still renews leases in real time.
 */
public final class TestSemel implements AutoCloseable {
    /** No test waits for it: a store that is down answers at once. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(30);

    private final Secrets secrets;
    private final MutableClock clock = MutableClock.fromNow();
    private final SharedClaims shared = new SharedClaims(clock);
    private final ProcessStore store = new ProcessStore(shared);
    private final Queue<ClaimEvent> events = new ConcurrentLinkedQueue<>();
    private final List<Semel> others = new ArrayList<>();
    private final Semel semel;

    private TestSemel(Secrets secrets) {
        this.secrets = Objects.requireNonNull(secrets, "Secrets must not be null");
        this.semel = settings(store).build();
    }

    /** An engine with a secret of its own. */
    public static TestSemel create() {
        return create(Secrets.of("semel-test: the same in every test"));
    }

    /** An engine with these secrets, for tests in which the application or a framework builds engines too. */
    public static TestSemel create(Secrets secrets) {
        return new TestSemel(secrets);
    }

    private SemelBuilder settings(ClaimStore on) {
        // Without a cache, because it expires by the clock of the machine.
        return Semel.on(on)
                .secrets(secrets)
                .listener(listener())
                .storeTimeout(STORE_TIMEOUT)
                .withoutReplayCache()
                .withoutSweep();
    }

    /** The engine for the code under test. */
    public Semel semel() {
        return semel;
    }

    /** The store of {@link #semel()}. An engine that a framework builds on it belongs to the same process. */
    public ClaimStore store() {
        return store;
    }

    /** Records the events for {@link #history()}. An engine that the test does not get from here needs it. */
    public ClaimListener listener() {
        return events::add;
    }

    /** The secrets of the engine. */
    public Secrets secrets() {
        return secrets;
    }

    /** The clock of the store. */
    public MutableClock clock() {
        return clock;
    }

    /** Moves the clock of the store: leases and stored results end sooner. */
    public void advance(Duration by) {
        clock.advance(by);
    }

    /** The engine of another process on the same claims. It does not take part in crashes. It is closed with this object. */
    public Semel anotherProcess() {
        return anotherProcess(settings -> settings);
    }

    /** As {@link #anotherProcess()}, with other settings. A listener that is set here replaces {@link #listener()}. */
    public Semel anotherProcess(UnaryOperator<SemelBuilder> settings) {
        Semel other = settings.apply(settings(new ProcessStore(shared))).build();
        synchronized (others) {
            others.add(other);
        }
        return other;
    }

    /**
     * Makes a call during which the process crashes: the work runs and has its effect, but its settlement never reaches the
     * store. The claim stays in progress until its lease ends: {@link #advance} by the lease, and the next caller takes over.
     *
     * <p>From the moment of the crash on, nothing can be claimed or settled by this process until the call returns. The call
     * itself goes on with {@link dev.semel.Outcome.Unsettled}, which the code of a dead process would not see. What it returns
     * or throws is ignored. If the work is asynchronous, the call has to wait for its end.
     *
     * @throws AssertionError if no work was settled during the call, so that there was nothing to crash
     */
    public void crashBeforeSettlement(Call call) {
        crashBeforeSettlement(1, call);
    }

    /**
     * As {@link #crashBeforeSettlement(Call)}, but settles some claims before it crashes: for work that consists of several
     * operations.
     *
     * @param n which settlement does not reach the store, counted from 1
     */
    public void crashBeforeSettlement(int n, Call call) {
        if (n < 1) {
            throw new IllegalArgumentException("Settlements are counted from 1, not from " + n);
        }
        Throwable thrown = null;
        store.crashAtSettlement(n);
        try {
            call.run();
        } catch (Throwable e) {
            thrown = e;
        }
        if (!store.restart()) {
            throw new AssertionError(
                    "The process did not crash: the call settled fewer than %d claims. Events so far: %s"
                            .formatted(n, history()),
                    thrown);
        }
    }

    /**
     * Makes the same call on many threads at the same moment. The first settlement waits until the other callers have their
     * answer or wait for it in the engine, so they meet running work. Where the engine runs out of sight, for example behind a
     * socket, the settlement waits for a second.
     *
     * @param callers how many, at least 2
     */
    public <R extends @Nullable Object> AtOnce<R> atOnce(int callers, Callable<R> call) {
        SimultaneousCalls<R> calls = new SimultaneousCalls<>(callers, call);
        store.beforeNextSettlement(calls::awaitDuplicates);
        try {
            return calls.run();
        } finally {
            store.sendSettlementsAtOnce();
        }
    }

    /**
     * The store is down for all processes until {@link #storeUp}. Callers receive {@code unavailable} at once, without the usual
     * timeout. Owners of running work send their settlement until the store is up.
     */
    public void storeDown() {
        shared.setDown(true);
    }

    /** The store answers again. */
    public void storeUp() {
        shared.setDown(false);
    }

    /** Other faults of the store: lost answers, hanging calls, deadlocks. {@link #reset} removes them. */
    public FaultyStore faults() {
        return shared.faults();
    }

    /** The claim on this key as it is stored, if there is one. */
    public Optional<ClaimEntry> stored(ClaimKey key) {
        return shared.memory().find(semel.refOf(key));
    }

    /** What happened to all claims since the last {@link #reset}. */
    public ClaimHistory history() {
        return history(event -> true);
    }

    /** What happened to the claims of this scope since the last {@link #reset}. */
    public ClaimHistory history(String scope) {
        return history(event -> event.scope().equals(scope));
    }

    /** What happened to the claim on this key since the last {@link #reset}. */
    public ClaimHistory history(ClaimKey key) {
        ClaimRef ref = semel.refOf(key);
        return history(event -> event.ref().equals(ref));
    }

    private ClaimHistory history(Predicate<ClaimEvent> wanted) {
        return new ClaimHistory(events.stream().filter(wanted).toList());
    }

    /** Forgets all claims, faults and history, as before each test. The clock keeps its time, and engines stay open. */
    public void reset() {
        shared.reset();
        store.reset();
        events.clear();
    }

    /** Closes the engine and those of other processes. */
    @Override
    public void close() {
        shared.reset();
        synchronized (others) {
            others.forEach(Semel::close);
            others.clear();
        }
        semel.close();
    }

    /** A call of the code under test. */
    @FunctionalInterface
    public interface Call {
        void run() throws Exception;
    }
}
