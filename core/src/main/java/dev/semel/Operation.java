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
    private final Terms terms;
    private final @Nullable Probe<T> probe;
    private final Function<Throwable, FailureClass> classifier;
    private final Function<Throwable, StoredResult> failureEncoder;
    private final int attemptCap;
    private final Duration maxWait;
    private final boolean shadow;

    private Operation(
            String scope,
            Codec<T> codec,
            Terms terms,
            @Nullable Probe<T> probe,
            Function<Throwable, FailureClass> classifier,
            Function<Throwable, StoredResult> failureEncoder,
            int attemptCap,
            Duration maxWait,
            boolean shadow) {
        this.scope = scope;
        this.codec = Objects.requireNonNull(codec, "A codec must not be null");
        this.terms = Objects.requireNonNull(terms, "Terms must not be null");
        this.probe = probe;
        this.classifier = Objects.requireNonNull(classifier, "A failure classifier must not be null");
        this.failureEncoder = Objects.requireNonNull(failureEncoder, "A failure encoder must not be null");
        this.attemptCap = attemptCap;
        this.maxWait = Objects.requireNonNull(maxWait, "A wait must not be null");
        this.shadow = shadow;
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
        return new Operation<>(
                checked,
                codec,
                Terms.DEFAULT,
                null,
                failure -> FailureClass.RETRYABLE,
                Operation::nameOf,
                0,
                Duration.ZERO,
                false);
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
        return new Operation<>(scope, codec, terms, probe, by, failureEncoder, attemptCap, maxWait, shadow);
    }

    /** Sets what is stored of a permanent failure. By default it is the class name of the exception, without its message. */
    public Operation<T> storingFailures(Function<Throwable, StoredResult> as) {
        return new Operation<>(scope, codec, terms, probe, classifier, as, attemptCap, maxWait, shadow);
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
        return new Operation<>(scope, codec, terms, probe, classifier, failureEncoder, attempts, maxWait, shadow);
    }

    /** How long a duplicate waits for the running one's answer before it receives {@link Outcome.InProgress}. */
    public Operation<T> waitingUpTo(Duration wait) {
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw new IllegalArgumentException("A wait must be between 0 and 24 hours, but is " + wait);
        }
        return new Operation<>(scope, codec, terms, probe, classifier, failureEncoder, attemptCap, wait, shadow);
    }

    /** Claims and reports duplicates to the listener, but always runs the work: for trying Semel out. */
    public Operation<T> inShadow() {
        return new Operation<>(scope, codec, terms, probe, classifier, failureEncoder, attemptCap, maxWait, true);
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

    Codec<T> codec() {
        return codec;
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
        return new Operation<>(
                scope, codec, newTerms, newProbe, classifier, failureEncoder, attemptCap, maxWait, shadow);
    }

    /** The class name alone, because messages contain input of users and answers of providers. */
    private static StoredResult nameOf(Throwable failure) {
        return new StoredResult(FAILURE_TYPE, failure.getClass().getName().getBytes(StandardCharsets.UTF_8));
    }
}
