// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.Terms;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One caller's claim in the engine: the key, the terms, the use of the claim, and how long the caller waits. */
final class ClaimCall {
    private final Environment environment;
    private final ClaimDigests digests;
    private final String scope;
    private final Fingerprint fingerprint;
    private final Terms terms;
    private final Use use;
    private final long begun;
    private final long waitUntil;
    private final CompletableFuture<@Nullable Void> abandoned = new CompletableFuture<>();
    private final AtomicBoolean conflictReported = new AtomicBoolean();
    private final Observed observed;
    private volatile @Nullable Thread caller;
    private volatile @Nullable Long answerHolds;

    private ClaimCall(
            Environment environment,
            ClaimDigests digests,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            Use use,
            Duration maxWait,
            @Nullable Thread caller,
            Observed observed) {
        this.environment = environment;
        this.digests = digests;
        this.scope = scope;
        this.fingerprint = fingerprint;
        this.terms = terms;
        this.use = use;
        this.begun = environment.nanoTime();
        this.waitUntil = begun + Deadlines.nanos(maxWait);
        this.caller = caller;
        this.observed = observed;
    }

    /** What a granted claim is for. */
    private enum Use {
        /** The engine runs the work and knows when it ends. */
        RUN_HERE,
        /** The engine runs the work, duplicates included, so no call uses the answer of another. */
        RUN_IN_SHADOW,
        /** The caller runs and settles the work. Only the store knows when it ends. */
        RUN_ELSEWHERE,
        /** As {@link #RUN_ELSEWHERE}, in one request with others. Results may be omitted, and no call waits. */
        ONE_OF_MANY
    }

    /**
     * A call whose work the engine runs.
     *
     * @param caller the thread that only waits for the answer, if there is one; it makes its own calls to the store
     * @param observed the whole call
     */
    static ClaimCall toRun(
            Environment environment,
            Operation<?> operation,
            ClaimDigests digests,
            Fingerprint fingerprint,
            @Nullable Thread caller,
            Observed observed) {
        return operation.shadow()
                ? new ClaimCall(
                        environment,
                        digests,
                        operation.scope(),
                        fingerprint,
                        operation.terms(),
                        Use.RUN_IN_SHADOW,
                        Duration.ZERO,
                        caller,
                        observed)
                : new ClaimCall(
                        environment,
                        digests,
                        operation.scope(),
                        fingerprint,
                        operation.terms(),
                        Use.RUN_HERE,
                        operation.maxWait(),
                        caller,
                        observed);
    }

    /** A call whose caller runs and settles the work. */
    static ClaimCall toRunElsewhere(
            Environment environment,
            ClaimDigests digests,
            String scope,
            Fingerprint fingerprint,
            Terms terms,
            Duration maxWait) {
        return new ClaimCall(
                environment, digests, scope, fingerprint, terms, Use.RUN_ELSEWHERE, maxWait, null, Observed.NOTHING);
    }

    /** As {@link #toRunElsewhere}, for one of many claims in one request. */
    static ClaimCall oneOfMany(Environment environment, ClaimDigests digests, ClaimRequest request) {
        return new ClaimCall(
                environment,
                digests,
                request.key().key().scope(),
                request.fingerprint(),
                request.terms(),
                Use.ONE_OF_MANY,
                Duration.ZERO,
                null,
                Observed.NOTHING);
    }

    ClaimDigests digests() {
        return digests;
    }

    ClaimRef ref() {
        return digests.ref();
    }

    String scope() {
        return scope;
    }

    Fingerprint fingerprint() {
        return fingerprint;
    }

    Terms terms() {
        return terms;
    }

    /** What must be equal for two calls to share one question to the store. */
    InFlightClaim.Key key() {
        return new InFlightClaim.Key(digests, fingerprint);
    }

    /** Whether this process knows when the work of a granted claim has ended. */
    boolean runsHere() {
        return use == Use.RUN_HERE || use == Use.RUN_IN_SHADOW;
    }

    /** Whether the answer of an equal call, or of the cache, may answer this one. */
    boolean follows() {
        return use != Use.RUN_IN_SHADOW;
    }

    boolean isOneOfMany() {
        return use == Use.ONE_OF_MANY;
    }

    /**
     * The answer to this call is kept for this long from a moment before the store gave it.
     *
     * @param from in {@link Environment#nanoTime}
     * @param left null if it never expires
     */
    void answerHolds(long from, @Nullable Duration left) {
        answerHolds = from + Deadlines.nanos(left == null ? Deadlines.LONGEST : left);
    }

    /** Until when the answer to this call is kept at least, in {@link Environment#nanoTime}; null if it may change at any time. */
    @Nullable
    Long answerHolds() {
        return answerHolds;
    }

    /** When the caller asked, in {@link Environment#nanoTime}. */
    long begun() {
        return begun;
    }

    /** Whether the caller still waits for a running owner. */
    boolean waits() {
        return timeToWait() > 0 && !abandoned.isDone();
    }

    /** How many nanoseconds the caller still waits for a running owner. */
    long timeToWait() {
        return Math.max(0, waitUntil - environment.nanoTime());
    }

    /** Completes once the caller no longer waits for the claim. */
    CompletableFuture<@Nullable Void> abandoned() {
        return abandoned;
    }

    /** The whole call that the engine runs, as an observer sees it. */
    Observed observed() {
        return observed;
    }

    /** The thread that only waits for the answer, if there is one. */
    @Nullable
    Thread caller() {
        return caller;
    }

    /** The calling thread does other work from now on, even if it happens to be the one that ends this call's work. */
    void callerReturned() {
        caller = null;
    }

    /** True the first time only: a conflict is reported once, however many rounds the claim takes. */
    boolean firstConflict() {
        return conflictReported.compareAndSet(false, true);
    }
}
