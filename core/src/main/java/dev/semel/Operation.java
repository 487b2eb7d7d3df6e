// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimKey;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How one kind of work is made idempotent: an immutable value, usually a constant. Every setting except the scope and the
 * codec has a default.
 *
 * <pre>{@code
 * static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text()).withLease(Duration.ofMinutes(1));
 * }</pre>
 */
public final class Operation<T extends @Nullable Object> {
    /** The type of the stored form of a permanent failure, unless {@link #storingFailures} sets another. */
    public static final String FAILURE_TYPE = "semel/failure";

    private static final Duration MAX_WAIT = Duration.ofHours(24);

    private final String scope;
    private final Codec<T> codec;
    private final DetailsCodec details;
    private final Terms terms;
    private final @Nullable Probe<T> probe;
    private final Function<Throwable, FailureClass> classifier;
    private final Function<Throwable, StoredResult> failureEncoder;
    private final int attemptCap;
    private final Duration maxWait;
    private final boolean shadow;
    private final InTransaction inTransaction;

    private Operation(Draft<T> draft) {
        this.scope = draft.scope;
        this.codec = draft.codec;
        this.details = Objects.requireNonNull(draft.details, "A codec of details must not be null");
        this.terms = Objects.requireNonNull(draft.terms, "Terms must not be null");
        this.probe = draft.probe;
        this.classifier = Objects.requireNonNull(draft.classifier, "A failure classifier must not be null");
        this.failureEncoder = Objects.requireNonNull(draft.failureEncoder, "A failure encoder must not be null");
        this.attemptCap = draft.attemptCap;
        this.maxWait = Objects.requireNonNull(draft.maxWait, "A wait must not be null");
        this.shadow = draft.shadow;
        this.inTransaction = draft.inTransaction;
    }

    /** What to do if the calling thread has an open transaction of the application's framework. */
    enum InTransaction {
        REFUSE,
        JOIN,
        STAY_OUTSIDE
    }

    /** The settings of an operation that is being made. */
    private static final class Draft<T extends @Nullable Object> {
        private final String scope;
        private final Codec<T> codec;
        private DetailsCodec details;
        private Terms terms = Terms.DEFAULT;
        private @Nullable Probe<T> probe;
        private Function<Throwable, FailureClass> classifier = failure -> FailureClass.RETRYABLE;
        private Function<Throwable, StoredResult> failureEncoder =
                failure -> failure(failure.getClass().getName());
        private int attemptCap;
        private Duration maxWait = Duration.ZERO;
        private boolean shadow;
        private InTransaction inTransaction = InTransaction.REFUSE;

        private Draft(String scope, Codec<T> codec) {
            this.scope = scope;
            this.codec = Objects.requireNonNull(codec, "A codec must not be null");
            this.details = codec.details();
        }
    }

    private Draft<T> draft() {
        Draft<T> draft = new Draft<>(scope, codec);
        draft.details = details;
        draft.terms = terms;
        draft.probe = probe;
        draft.classifier = classifier;
        draft.failureEncoder = failureEncoder;
        draft.attemptCap = attemptCap;
        draft.maxWait = maxWait;
        draft.shadow = shadow;
        draft.inTransaction = inTransaction;
        return draft;
    }

    /**
     * An operation with the defaults: a lease of five minutes, a maximum run time of an hour, results kept for a day, run again
     * when stale, every failure retryable, duplicates do not wait.
     *
     * @param scope its name; explicit, so that renaming a method does not break deduplication
     */
    public static <T extends @Nullable Object> Operation<T> of(String scope, Codec<T> codec) {
        // Checked as part of a key, so that an invalid scope fails here and not at the first call.
        String checked = new ClaimKey("any", scope, "any").scope();
        return new Operation<>(new Draft<>(checked, codec));
    }

    /** How long ownership lasts without a renewal. Sets the maximum run time to twelve leases. */
    public Operation<T> withLease(Duration lease) {
        return with(terms.withLease(lease), probe);
    }

    /** How long the work may run in all before another caller may take over. Call it after {@link #withLease}. */
    public Operation<T> withMaxRun(Duration maxRun) {
        return with(terms.withMaxRun(maxRun), probe);
    }

    /** How long a settled result is replayed, from the settlement. */
    public Operation<T> withTtl(Duration ttl) {
        return with(terms.withTtl(ttl), probe);
    }

    /** Results are replayed without limit. */
    public Operation<T> withoutExpiry() {
        return with(terms.withoutExpiry(), probe);
    }

    /** When an owner disappears, the next caller runs the work again. This is the default. */
    public Operation<T> rerunWhenStale() {
        return with(terms.withOnStale(StalePolicy.RERUN), null);
    }

    /** When an owner disappears, the next caller asks this probe before anything runs. */
    public Operation<T> reconcileWhenStale(Probe<T> with) {
        Objects.requireNonNull(with, "A probe must not be null");
        return with(terms.withOnStale(StalePolicy.RECONCILE), with);
    }

    /** When an owner disappears, the outcome is unknown until a person decides. */
    public Operation<T> parkWhenStale() {
        return with(terms.withOnStale(StalePolicy.PARK), null);
    }

    /** Classifies the exceptions of the work. By default all are retryable. */
    public Operation<T> classifyingFailures(Function<Throwable, FailureClass> by) {
        Draft<T> draft = draft();
        draft.classifier = by;
        return new Operation<>(draft);
    }

    /** Sets what is stored of a permanent failure. By default it is the class name of the exception, without its message. */
    public Operation<T> storingFailures(Function<Throwable, StoredResult> as) {
        Draft<T> draft = draft();
        draft.failureEncoder = as;
        return new Operation<>(draft);
    }

    /**
     * After this many attempts a failure is permanent, whatever its class, so that no key fails without end. An attempt counts
     * if it may have run: one whose owner disappeared counts, one that was given back before it ran does not. If the last
     * attempt's owner disappeared, the next caller receives {@link Outcome.Failed} and nothing runs. The cap does not apply to
     * {@link Semel#claim}.
     */
    public Operation<T> withAttemptCap(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("An attempt cap must be at least 1, but is " + attempts);
        }
        Draft<T> draft = draft();
        draft.attemptCap = attempts;
        return new Operation<>(draft);
    }

    /** How long a duplicate waits for the running one's answer before it receives {@link Outcome.InProgress}. */
    public Operation<T> waitingUpTo(Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("A wait must be between 0 and 24 hours, but is " + wait);
        }
        Draft<T> draft = draft();
        draft.maxWait = wait;
        return new Operation<>(draft);
    }

    /** Claims and reports duplicates to the listener, but always runs the work: for trying Semel out. */
    public Operation<T> inShadow() {
        Draft<T> draft = draft();
        draft.shadow = true;
        return new Operation<>(draft);
    }

    /** How the details of {@linkplain RunContext#reject rejections} are stored; by default as the codec says. */
    public Operation<T> withDetails(DetailsCodec by) {
        Draft<T> draft = draft();
        draft.details = by;
        return new Operation<>(draft);
    }

    /**
     * Claim, work and result are part of the caller's transaction, and are committed or rolled back with it. Without an open
     * transaction, a new one is begun and committed. Requires an engine with {@link SemelBuilder#callerTransactions}, as the
     * Spring Boot starters build it, and {@link Semel#execute}.
     *
     * <p>A key that is claimed this way and the same key claimed outside a transaction are two keys.
     */
    public Operation<T> joinTransaction() {
        return with(InTransaction.JOIN);
    }

    /**
     * The claim is settled by itself, even if the caller has an open transaction: its rollback undoes neither the effect of the
     * work nor the claim. For work whose effect is outside the caller's database. Without this and {@link #joinTransaction},
     * an engine that knows the caller's transactions refuses to run inside one.
     */
    public Operation<T> outsideTransaction() {
        return with(InTransaction.STAY_OUTSIDE);
    }

    private Operation<T> with(InTransaction mode) {
        Draft<T> draft = draft();
        draft.inTransaction = mode;
        return new Operation<>(draft);
    }

    /** The claim key for one piece of this work. */
    public ClaimKey key(String tenant, String key) {
        return new ClaimKey(tenant, scope, key);
    }

    public String scope() {
        return scope;
    }

    public Terms terms() {
        return terms;
    }

    /** The stored form of a result. Null has a form of its own, which no codec sees. */
    StoredResult encode(T value) throws Exception {
        return value == null ? StoredResult.ofNull() : codec.encode(value);
    }

    /** The result that {@link #encode} wrote. */
    @SuppressWarnings("NullAway") // Null is stored only if the work returned it.
    T decode(StoredResult stored) throws Exception {
        return stored.isNull() ? null : codec.decode(stored);
    }

    DetailsCodec details() {
        return details;
    }

    /** For one run of the work. */
    Rejecting rejecting() {
        return new Rejecting(details);
    }

    InTransaction inTransaction() {
        return inTransaction;
    }

    @Nullable
    Probe<T> probe() {
        return probe;
    }

    FailureClass classify(Throwable failure) {
        return classifier.apply(failure);
    }

    StoredResult encodeFailure(Throwable failure) {
        return failureEncoder.apply(failure);
    }

    OptionalInt attemptCap() {
        return attemptCap == 0 ? OptionalInt.empty() : OptionalInt.of(attemptCap);
    }

    Duration maxWait() {
        return maxWait;
    }

    boolean shadow() {
        return shadow;
    }

    private Operation<T> with(Terms newTerms, @Nullable Probe<T> newProbe) {
        Draft<T> draft = draft();
        draft.terms = newTerms;
        draft.probe = newProbe;
        return new Operation<>(draft);
    }

    /** Stores a reason, for example a class name. Messages of exceptions contain input of users and answers of providers. */
    static StoredResult failure(String reason) {
        return new StoredResult(FAILURE_TYPE, reason.getBytes(StandardCharsets.UTF_8));
    }
}
