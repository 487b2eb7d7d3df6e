// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.CallObserver.Step;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.OwnerToken;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Terms;
import dev.semel.key.ClaimMode;
import dev.semel.key.KeyDigests;
import dev.semel.key.Secrets;
import dev.semel.lane.Alarms;
import dev.semel.lane.Environment;
import dev.semel.lane.Pauses;
import dev.semel.lane.Workers;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The engine: the effect of a key happens once, and every caller receives the same answer.
 *
 * <pre>{@code
 * try (Semel semel = Semel.on(store).secrets(Secrets.of(secret)).build()) {
 *     Outcome<String> outcome = semel.execute(CHARGE, CHARGE.key("acme", "order-17"),
 *             run -> bank.charge(order, run.childKey("charge")));
 * }
 * }</pre>
 *
 * <p>{@link #execute}, {@link #executeAsync} and {@link #executeOnCaller} claim, run and settle. {@link #claim}, {@link
 * #settle} and {@link #renew} are the single steps, for work that runs outside the engine. PROTOCOL.md describes the
 * protocol. Thread-safe, without global state.
 */
public final class Semel implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(10);
    private static final String SEVERAL_SCOPES = "several";

    private final Environment environment;
    private final KeyDigests digests;
    private final Workers workers;
    private final ScheduledExecutorService timer;
    private final Executor callbacks;
    private final OwnerCommands owners;
    private final CoalescingClaims claims;
    private final ManyClaims manyClaims;
    private final AwaitedClaims awaitedClaims;
    private final Settlements settlements;
    private final Runner runner;
    private final Sweeper sweeper;
    private final StoreGateway gateway;
    private final Pauses pauses;
    private final Secrets secrets;
    private final TransactionGuard transactions;
    private final Observing observing;
    private final CallGate gate = new CallGate();

    Semel(SemelBuilder builder, Secrets secrets) {
        this.secrets = secrets;
        environment = builder.environment;
        transactions = new TransactionGuard(builder.callerTransactions);
        digests = new KeyDigests(secrets);
        workers = environment.workers("semel-store", builder.storeThreads);
        timer = environment.timer("semel-timer");
        callbacks = builder.callbacks;
        Events events = new Events(builder.listeners);
        observing = new Observing(builder.observer);
        gateway = new StoreGateway(
                environment, builder.store, workers, timer, events.hasListeners() ? events::called : null);
        pauses = new Pauses(timer);
        CacheEpoch epochs = builder.store instanceof CacheEpoch known ? known : null;
        CachedOutcomes cache = new CachedOutcomes(builder.replayCache(), epochs, gateway, builder.storeTimeout);
        int maxParts = Math.max(1, builder.storeThreads / 2);
        OmittedResults omitted = new OmittedResults(gateway, maxParts);
        ClaimReads reads = new ClaimReads(gateway, builder.storeTimeout, omitted);
        owners = new OwnerCommands(gateway, builder.storeTimeout);
        ClaimProtocol protocol = new ClaimProtocol(
                new Acquisition.Engine(gateway, builder.storeTimeout, cache, owners, omitted, events),
                builder.maxClaims,
                maxParts);
        InFlightClaims inFlight = new InFlightClaims(environment, reads, pauses, builder.maxClaims);
        claims = new CoalescingClaims(environment, protocol, cache, inFlight, events);
        manyClaims = new ManyClaims(protocol, reads, cache, events);
        awaitedClaims = new AwaitedClaims(environment, reads, inFlight);
        settlements = new Settlements(owners, events, events.hasListeners() || !observing.isOff());
        runner = new Runner(
                environment,
                owners,
                claims,
                cache,
                settlements,
                events,
                new Alarms(environment, timer),
                callbacks,
                builder.callersRun,
                observing);
        sweeper = new Sweeper(gateway, timer, pauses, events, builder.sweepBatch);
        builder.sweepInterval.ifPresent(sweeper::every);
    }

    /** An engine on this store. */
    public static SemelBuilder on(ClaimStore store) {
        return new SemelBuilder(store);
    }

    /**
     * Runs the work on this thread if the key is free, and otherwise returns the stored answer.
     *
     * <p>An interrupt ends the wait for the claim. The outcome is then {@link Outcome.InProgress} or {@link
     * Outcome.Unavailable}, nothing ran, and the thread's interrupt flag stays set. A claim that is granted later is given
     * back. While the work runs, the work itself handles interrupts. The wait for the settlement is not interrupted.
     *
     * @throws IllegalStateException if this thread is already running the same key, or has an open transaction that the
     *     operation neither joins nor ignores (see {@link SemelBuilder#callerTransactions})
     */
    public <T extends @Nullable Object> Outcome<T> execute(Operation<T> operation, ClaimKey key, Work<T> work) {
        return execute(operation, AliasedKey.of(key), Fingerprint.NONE, work);
    }

    /** As {@link #execute(Operation, ClaimKey, Work)}; another fingerprint under the same key is a mismatch. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, Work<T> work) {
        return execute(operation, AliasedKey.of(key), fingerprint, work);
    }

    /** As {@link #execute(Operation, ClaimKey, Fingerprint, Work)}, once for all callers that use any of these keys. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
        CallerTransactions joined = transactions.executing(operation);
        return gate.during(operation, () -> {
            Observed call = observing.begin(Step.EXECUTE, operation.scope());
            return call.during(() -> joined == null
                    ? runner.run(operation, digestsOf(operation, key), fingerprint, work, call)
                    : joined.execute(operation, key, fingerprint, call.running(work)));
        });
    }

    /** As {@link #execute(Operation, ClaimKey, Work)}, without blocking. Cancelling the future does not stop the work. */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeAsync(
            Operation<T> operation, ClaimKey key, AsyncWork<T> work) {
        return executeAsync(operation, key, Fingerprint.NONE, work);
    }

    /** As {@link #executeAsync(Operation, ClaimKey, AsyncWork)}, with a fingerprint. */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeAsync(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, AsyncWork<T> work) {
        return executeAsync(operation, AliasedKey.of(key), fingerprint, work);
    }

    /** As {@link #executeAsync(Operation, ClaimKey, Fingerprint, AsyncWork)}, for any of these keys. */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeAsync(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, AsyncWork<T> work) {
        transactions.requireOutside(operation);
        return gate.untilComplete(operation, () -> {
            Observed call = observing.begin(Step.EXECUTE, operation.scope());
            return call.untilComplete(
                    () -> runner.runAsync(operation, digestsOf(operation, key), fingerprint, work, call));
        });
    }

    /**
     * Claims on the calling thread, starts the work on it, and settles when the work's stage ends, on any thread.
     *
     * <p>For containers whose thread must return before asynchronous work can end. The call blocks for the claim, including the
     * wait for a running owner, and for {@link AsyncWork#start}. Interrupts work as in {@link #execute}. If the stage is
     * complete by then, the calling thread may settle as well. Otherwise the claim is renewed until the stage ends, at most
     * for the operation's maximum run time, and the returned stage completes on the callback executor. Cancelling the stage
     * does not stop the work.
     *
     * @throws IllegalStateException if this thread is already starting or running the same key
     */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeOnCaller(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, AsyncWork<T> work) {
        transactions.requireOutside(operation);
        return gate.untilComplete(operation, () -> {
            Observed call = observing.begin(Step.EXECUTE, operation.scope());
            return call.untilComplete(() ->
                    runner.runOnCaller(operation, digestsOf(operation, AliasedKey.of(key)), fingerprint, work, call));
        });
    }

    /**
     * Claims a key for work that runs outside the engine. A caller that is granted the claim must renew it in time and
     * settle it.
     *
     * @param maxWait how long to wait for a running owner; zero returns at once
     */
    public CompletionStage<ClaimOutcome> claim(ClaimKey key, Fingerprint fingerprint, Terms terms, Duration maxWait) {
        return claim(AliasedKey.of(key), fingerprint, terms, maxWait);
    }

    /** As {@link #claim(ClaimKey, Fingerprint, Terms, Duration)}, for any of these keys. */
    public CompletionStage<ClaimOutcome> claim(AliasedKey key, Fingerprint fingerprint, Terms terms, Duration maxWait) {
        if (gate.isDraining()) {
            return CompletableFuture.completedFuture(gate.refusedClaim());
        }
        String scope = key.key().scope();
        ClaimCall call = ClaimCall.toRunElsewhere(
                environment, ClaimDigests.of(digests, key), scope, fingerprint, terms, maxWait);
        return onCallbacks(
                observing.begin(Step.CLAIM, scope).claimed(claims.claim(call)).thenApply(settlements::remembered));
    }

    /**
     * Claims many keys for work that runs outside the engine, without waiting for running owners. Keys without aliases are
     * claimed in one call to the store. Keys with aliases, and all keys while several secrets are active, are claimed in
     * parts, a few at a time; the store timeout applies to each part. If two requests share a key or an alias, either may be
     * granted.
     *
     * <p>Together the outcomes hold at most {@link ClaimStore#MAX_RESULT_BYTES} of results, counted in their order and once
     * for each key. A result beyond that is {@linkplain StoredResult#isOmitted omitted}: claim its key alone to get it.
     *
     * @return an outcome for each request, in their order
     */
    public CompletionStage<List<ClaimOutcome>> claimAll(List<ClaimRequest> requests) {
        if (gate.isDraining()) {
            return CompletableFuture.completedFuture(Collections.nCopies(requests.size(), gate.refusedClaim()));
        }
        List<ClaimCall> calls = requests.stream()
                .map(request -> ClaimCall.oneOfMany(environment, ClaimDigests.of(digests, request.key()), request))
                .toList();
        Observed claiming = observing.isOff() ? Observed.NOTHING : observing.begin(Step.CLAIM, scopeOf(calls));
        return onCallbacks(claiming.allClaimed(manyClaims.claimAll(calls)).thenApply(outcomes -> {
            outcomes.forEach(settlements::remembered);
            return outcomes;
        }));
    }

    /**
     * Checks that work which runs outside the engine may run on this thread.
     *
     * @throws IllegalStateException if the thread has an open transaction that the operation does not ignore (see {@link
     *     SemelBuilder#callerTransactions}), or if the operation joins one
     */
    public void requireOutsideTransaction(Operation<?> operation) {
        transactions.requireOutside(operation);
    }

    /** Settles a claim that was granted here. */
    public CompletionStage<Ownership> settle(
            Claim claim, Status status, @Nullable StoredResult result, @Nullable String reason) {
        return onCallbacks(
                settlements.settle(claim, status, result, reason, null, observing.begin(Step.SETTLE, claim.scope())));
    }

    /** Settles a claim that may have been granted in another process. */
    public CompletionStage<Ownership> settle(
            ClaimRef ref, OwnerToken token, Status status, @Nullable StoredResult result, @Nullable String reason) {
        Observed settling =
                observing.isOff() ? Observed.NOTHING : observing.begin(Step.SETTLE, settlements.scopeOf(token));
        return onCallbacks(settlements.settle(ref, token, status, result, reason, settling));
    }

    /**
     * Gives back a claim that was granted here and whose work was not begun. The next caller may claim the key at once, and
     * the attempt does not count. If the work ran and failed, settle the claim as {@link Status#RETRYABLE} instead.
     */
    public CompletionStage<Ownership> giveBack(Claim claim) {
        return onCallbacks(settlements.giveBack(claim, observing.begin(Step.SETTLE, claim.scope())));
    }

    /**
     * Waits for the owner of a running claim by reading only. Nothing is claimed, so no attempt is counted.
     *
     * @param fingerprint if it differs from that of the claim, the outcome is a mismatch
     * @param maxWait how long to wait; zero reads once
     */
    public CompletionStage<Awaited> await(AliasedKey key, Fingerprint fingerprint, Duration maxWait) {
        return onCallbacks(awaitedClaims.await(ClaimDigests.of(digests, key), fingerprint, maxWait));
    }

    /** Renews a lease from now, up to the maximum run time. */
    public CompletionStage<Ownership> renew(ClaimRef ref, OwnerToken token, Duration lease) {
        return onCallbacks(owners.renew(ref, token, lease));
    }

    /** The reference of the claim on this key, for lookups. It also leads to a claim that was made with an older secret. */
    public ClaimRef refOf(ClaimKey key) {
        return digests.refOf(ClaimMode.LEASED, key);
    }

    /** The engine's secrets, for modules that are built on it and derive keys or encrypt. */
    public Secrets secrets() {
        return secrets;
    }

    /**
     * The same stage, whose dependents run in the context that is current on this thread now, if an {@linkplain
     * SemelBuilder#observer observer} keeps one. For modules that are built on the engine and wait for other stages between two
     * of its calls.
     */
    public <T extends @Nullable Object> CompletionStage<T> inCallersContext(CompletionStage<T> stage) {
        return observing.isOff()
                ? stage
                : stage.thenApplyAsync(Function.identity(), observing.keepingContext(Runnable::run));
    }

    /** Deletes expired claims now, in batches, until none is left. */
    public CompletionStage<SweepReport> sweep() {
        return onCallbacks(sweeper.sweep());
    }

    /**
     * Waits for the calls in progress, so that their outcomes are stored before {@link #close}. Leases are renewed meanwhile. From
     * now on new calls are {@code unavailable}, except those that running work makes on its own thread. Duplicates that wait for
     * another process end their wait. Claims for work outside the engine are refused too, but not waited for.
     *
     * @param maxWait the longest wait
     * @return whether all calls ended in time; false also if this thread was interrupted
     */
    public boolean drain(Duration maxWait) {
        pauses.close();
        try {
            return gate.drain(maxWait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Stops sweeping and renewing, and waits up to ten seconds for settlements that are in progress. Work that still runs cannot
     * store its outcome any more: call {@link #drain} first.
     */
    @Override
    public void close() {
        timer.shutdownNow();
        pauses.close();
        workers.shutdown();
        workers.end(callersEnded() ? CLOSING : Duration.ZERO);
        gateway.close();
    }

    private boolean callersEnded() {
        try {
            return gateway.awaitCallers(CLOSING);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T extends @Nullable Object> ClaimDigests digestsOf(Operation<T> operation, AliasedKey aliased) {
        ClaimKey key = aliased.key();
        if (!key.scope().equals(operation.scope())) {
            throw new IllegalArgumentException(
                    "The key's scope is %s, but the operation's is %s: make the key with operation.key(tenant, key)"
                            .formatted(key.scope(), operation.scope()));
        }
        return ClaimDigests.of(digests, aliased);
    }

    private <R> CompletableFuture<R> onCallbacks(CompletableFuture<R> future) {
        return future.thenApplyAsync(Function.identity(), observing.keepingContext(callbacks));
    }

    /** The scope of all claims, or {@value #SEVERAL_SCOPES}. */
    private static String scopeOf(List<ClaimCall> calls) {
        String first = calls.isEmpty() ? SEVERAL_SCOPES : calls.get(0).scope();
        return calls.stream().allMatch(call -> call.scope().equals(first)) ? first : SEVERAL_SCOPES;
    }
}
