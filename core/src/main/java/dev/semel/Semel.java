// SPDX-License-Identifier: Apache-2.0
package dev.semel;

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
import dev.semel.lane.DaemonThreads;
import dev.semel.lane.Pauses;
import dev.semel.lane.Workers;
import dev.semel.spi.CacheEpoch;
import dev.semel.spi.ClaimStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Once: an effect happens once, and every caller gets the one answer.
 *
 * <pre>{@code
 * try (Semel semel = Semel.on(store).secret(Secret.of(secret)).build()) {
 *     Outcome<String> outcome = semel.execute(CHARGE, CHARGE.key("acme", "order-17"),
 *             run -> bank.charge(order, run.childKey("charge")));
 * }
 * }</pre>
 *
 * <p>{@link #execute}, {@link #executeAsync} and {@link #executeOnCaller} claim, run and settle. {@link #claim}, {@link #settle} and
 * {@link #renew} are the same steps one by one, for doors whose work runs elsewhere. What the protocol is, the class
 * {@code ClaimProtocol} and PROTOCOL.md say. Safe for use by many threads; holds no global state.
 */
public final class Semel implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final KeyDigests digests;
    private final Workers workers;
    private final ScheduledThreadPoolExecutor timer;
    private final Executor callbacks;
    private final ClaimProtocol claims;
    private final CoalescingClaims patientClaims;
    private final Settlements settlements;
    private final Runner runner;
    private final Sweeper sweeper;
    private final StoreGateway gateway;
    private final Pauses pauses;

    Semel(SemelBuilder builder, Secrets secrets) {
        digests = new KeyDigests(secrets);
        workers = Workers.fixed("semel-store", builder.storeThreads);
        timer = DaemonThreads.timer("semel-timer");
        callbacks = builder.callbacks;
        Events events = new Events(builder.listener);
        gateway = new StoreGateway(builder.store, workers, timer);
        pauses = new Pauses(timer);
        CacheEpoch epochs = builder.store instanceof CacheEpoch known ? known : null;
        Replays replays = new Replays(builder.replayCache(), epochs, gateway, builder.storeTimeout);
        claims = new ClaimProtocol(
                gateway, builder.storeTimeout, replays, builder.maxClaims, Math.max(1, builder.storeThreads / 2));
        patientClaims = new CoalescingClaims(claims, replays, pauses, events, builder.maxClaims);
        settlements = new Settlements(claims, events);
        runner = new Runner(claims, patientClaims, replays, settlements, events, timer, callbacks, builder.callersRun);
        sweeper = new Sweeper(gateway, timer, pauses, events, builder.sweepBatch);
        builder.sweepInterval.ifPresent(sweeper::every);
    }

    /** An engine on this store. */
    public static SemelBuilder on(ClaimStore store) {
        return new SemelBuilder(store);
    }

    /**
     * Does the work once: runs it on this thread if the key is free, and otherwise answers from what is stored.
     *
     * <p>An interrupt ends the wait for the claim. The outcome is then {@link Outcome.InProgress} or {@link
     * Outcome.Unavailable}, nothing ran, and the thread's interrupt flag stays set; a claim that is granted later is given
     * back. While the work runs, the interrupt is the work's own. The wait for the settlement does not end early.
     *
     * @throws IllegalStateException if the same key is already being run by this thread
     */
    public <T extends @Nullable Object> Outcome<T> execute(Operation<T> operation, ClaimKey key, Work<T> work) {
        return execute(operation, key, Fingerprint.NONE, work);
    }

    /** As {@link #execute(Operation, ClaimKey, Work)}; another fingerprint under the same key is a mismatch. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, Work<T> work) {
        return runner.run(operation, namesOf(operation, AliasedKey.of(key)), fingerprint, work);
    }

    /** As {@link #execute(Operation, ClaimKey, Fingerprint, Work)}, once for all that claim by any of these keys. */
    public <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work) {
        return runner.run(operation, namesOf(operation, key), fingerprint, work);
    }

    /** As {@link #execute(Operation, ClaimKey, Work)}, without blocking. Cancelling the future does not stop the work. */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeAsync(
            Operation<T> operation, ClaimKey key, AsyncWork<T> work) {
        return executeAsync(operation, key, Fingerprint.NONE, work);
    }

    /** As {@link #executeAsync(Operation, ClaimKey, AsyncWork)}, with a fingerprint. */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeAsync(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, AsyncWork<T> work) {
        return runner.runAsync(operation, namesOf(operation, AliasedKey.of(key)), fingerprint, work);
    }

    /** As {@link #executeAsync(Operation, ClaimKey, Fingerprint, AsyncWork)}, by any of these keys. */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeAsync(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, AsyncWork<T> work) {
        return runner.runAsync(operation, namesOf(operation, key), fingerprint, work);
    }

    /**
     * Claims on the calling thread, starts the work on it, and settles when the work's stage ends, on any thread.
     *
     * <p>For containers whose thread must return before asynchronous work can end. The call blocks for the claim, the wait
     * for a running owner included, and for {@link AsyncWork#start}; an interrupt meanwhile is as in {@link #execute}. If
     * the stage is complete by then, the calling thread may settle too. Otherwise the claim is renewed until the stage ends,
     * at most for the operation's maximum run time, and the returned stage completes on the callback executor. Cancelling it
     * does not stop the work.
     *
     * @throws IllegalStateException if the same key is being started or run by this thread
     */
    public <T extends @Nullable Object> CompletionStage<Outcome<T>> executeOnCaller(
            Operation<T> operation, ClaimKey key, Fingerprint fingerprint, AsyncWork<T> work) {
        return runner.runOnCaller(operation, namesOf(operation, AliasedKey.of(key)), fingerprint, work);
    }

    /**
     * Claims a key for work that runs elsewhere. Whoever is granted it must settle it, and renew it in time.
     *
     * @param patience how long to wait for a running owner; zero answers at once
     */
    public CompletionStage<ClaimOutcome> claim(ClaimKey key, Fingerprint fingerprint, Terms terms, Duration patience) {
        return claim(AliasedKey.of(key), fingerprint, terms, patience);
    }

    /** As {@link #claim(ClaimKey, Fingerprint, Terms, Duration)}, by any of these keys. */
    public CompletionStage<ClaimOutcome> claim(
            AliasedKey key, Fingerprint fingerprint, Terms terms, Duration patience) {
        return onCallbacks(
                patientClaims.claim(ClaimDigests.of(digests, key), key.key().scope(), fingerprint, terms, patience));
    }

    /**
     * Claims many keys for work that runs elsewhere, without waiting for running owners. Keys with one name are claimed in
     * one call to the store. Those with aliases, and all while two secrets are alive, are claimed in parts, a few at a
     * time; each part has the store's time-out. Where two of them share a name, either may be granted.
     *
     * <p>Together the outcomes hold at most {@link ClaimStore#MAX_RESULT_BYTES} of results, counted in their order and once a
     * key. A result beyond that is {@linkplain StoredResult#isOmitted left out}: claim its key alone to get it.
     *
     * @return an outcome for each, in their order
     */
    public CompletionStage<List<ClaimOutcome>> claimAll(List<ClaimRequest> requests) {
        List<ClaimRequest> wanted = List.copyOf(requests);
        return onCallbacks(patientClaims.claimAll(
                wanted.stream().map(one -> ClaimDigests.of(digests, one.key())).toList(), wanted));
    }

    /** Settles a claim that was granted here. */
    public CompletionStage<Ownership> settle(
            Claim claim, Status status, @Nullable StoredResult result, @Nullable String reason) {
        return onCallbacks(settlements.settle(claim, status, result, reason, null));
    }

    /** Settles a claim that may have been granted in another process. */
    public CompletionStage<Ownership> settle(
            ClaimRef ref, OwnerToken token, Status status, @Nullable StoredResult result, @Nullable String reason) {
        return onCallbacks(claims.settle(ref, token, status, result, reason, Duration.ZERO, null));
    }

    /**
     * Gives back a claim that was granted here and whose work was not begun. The next caller may have it at once, and the
     * attempt does not count. Settle it as {@link Status#RETRYABLE} instead if the work ran and failed.
     */
    public CompletionStage<Ownership> giveBack(Claim claim) {
        return onCallbacks(settlements.giveBack(claim));
    }

    /**
     * Waits for the owner of a running claim by reading alone. It claims nothing, so no attempt is counted.
     *
     * @param fingerprint another one than the claim's is a mismatch
     * @param patience how long to wait; zero reads once
     */
    public CompletionStage<Awaited> await(AliasedKey key, Fingerprint fingerprint, Duration patience) {
        return onCallbacks(patientClaims.await(ClaimDigests.of(digests, key), fingerprint, patience));
    }

    /** Prolongs a lease from now, though never past the maximum run time. */
    public CompletionStage<Ownership> renew(ClaimRef ref, OwnerToken token, Duration lease) {
        return onCallbacks(claims.renew(ref, token, lease));
    }

    /** Where the claim on this key is by the current secret, for looking it up; an older one is found there as well. */
    public ClaimRef refOf(ClaimKey key) {
        return digests.refOf(ClaimMode.LEASED, key);
    }

    /**
     * For doors that derive something from the secrets themselves.
     *
     * @throws IllegalArgumentException if the engine makes claims by another secret than the current one of these
     */
    public void requireCurrent(Secrets secrets) {
        ClaimKey sample = new ClaimKey("any", "any", "any");
        if (!refOf(sample).equals(new KeyDigests(secrets).refOf(ClaimMode.LEASED, sample))) {
            throw new IllegalArgumentException(
                    "The engine was built with another current secret than this one (id %s): give both the same secrets,"
                                    .formatted(secrets.current().id())
                            + " in the same order");
        }
    }

    /** Cleans up now, in batches, until nothing is left to do. */
    public CompletionStage<SweepReport> sweep() {
        return onCallbacks(sweeper.sweep());
    }

    /** Stops sweeping and renewing, and lets settlements that are under way finish, up to ten seconds. */
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

    private <T extends @Nullable Object> ClaimDigests namesOf(Operation<T> operation, AliasedKey aliased) {
        ClaimKey key = aliased.key();
        if (!key.scope().equals(operation.scope())) {
            throw new IllegalArgumentException(
                    "The key's scope is %s, but the operation's is %s: make the key with operation.key(tenant, key)"
                            .formatted(key.scope(), operation.scope()));
        }
        return ClaimDigests.of(digests, aliased);
    }

    private <R> CompletableFuture<R> onCallbacks(CompletableFuture<R> future) {
        return future.thenApplyAsync(Function.identity(), callbacks);
    }
}
