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
 * How one kind of work is made idempotent: an immutable value, usually a constant. Every setting has a default but the
 * scope and the codec.
 *
 * <pre>{@code
 * static final Operation<String> CHARGE = Operation.of("card.charge", Codec.text()).withLease(Duration.ofMinutes(1));
 * }</pre>
 */
public final class Operation<T extends @Nullable Object> {
    /** The type of the stored form of a final failure, unless {@link #storingFailures} says otherwise. */
    public static final String FAILURE_TYPE = "semel/failure";

    private static final Duration LONGEST_WAIT = Duration.ofHours(24);

    private final String scope;
    private final Codec<T> codec;
    private final Terms terms;
    private final @Nullable Probe<T> probe;
    private final Function<Throwable, FailureClass> classifier;
    private final Function<Throwable, StoredResult> failureEncoder;
    private final int attemptCap;
    private final Duration patience;
    private final boolean shadow;

    private Operation(
            String scope,
            Codec<T> codec,
            Terms terms,
            @Nullable Probe<T> probe,
            Function<Throwable, FailureClass> classifier,
            Function<Throwable, StoredResult> failureEncoder,
            int attemptCap,
            Duration patience,
            boolean shadow) {
        this.scope = scope;
        this.codec = Objects.requireNonNull(codec, "A codec must not be null");
        this.terms = Objects.requireNonNull(terms, "Terms must not be null");
        this.probe = probe;
        this.classifier = Objects.requireNonNull(classifier, "A failure classifier must not be null");
        this.failureEncoder = Objects.requireNonNull(failureEncoder, "A failure encoder must not be null");
        this.attemptCap = attemptCap;
        this.patience = Objects.requireNonNull(patience, "A wait must not be null");
        this.shadow = shadow;
    }

    /**
     * An operation with the defaults: five minutes of lease, an hour of run time, results kept for a day, run again
     * when stale, every failure retryable, duplicates do not wait.
     *
     * @param scope its name; explicit, so that renaming a method never breaks deduplication
     */
    public static <T extends @Nullable Object> Operation<T> of(String scope, Codec<T> codec) {
        // Checked as part of a key, so that a bad scope fails here and not at the first call.
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

    /** How long ownership lasts without a renewal; the maximum run time becomes twelve of these. */
    public Operation<T> withLease(Duration lease) {
        return with(terms.withLease(lease), probe);
    }

    /** How long the work may run in all before somebody else may take over. Call it after {@link #withLease}. */
    public Operation<T> withMaxRun(Duration maxRun) {
        return with(terms.withMaxRun(maxRun), probe);
    }

    /** How long a settled result is replayed; counted from the settlement. */
    public Operation<T> withTtl(Duration ttl) {
        return with(terms.withTtl(ttl), probe);
    }

    /** Results are replayed for ever. */
    public Operation<T> withoutExpiry() {
        return with(terms.withoutExpiry(), probe);
    }

    /** When an owner disappears, the next caller runs the work again: the default. */
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

    /** What an exception of the work means; by default all are retryable. */
    public Operation<T> classifyingFailures(Function<Throwable, FailureClass> by) {
        return new Operation<>(scope, codec, terms, probe, by, failureEncoder, attemptCap, patience, shadow);
    }

    /** What is stored of a final failure; by default the exception's class name and nothing of its message. */
    public Operation<T> storingFailures(Function<Throwable, StoredResult> as) {
        return new Operation<>(scope, codec, terms, probe, classifier, as, attemptCap, patience, shadow);
    }

    /**
     * After so many attempts a failure is final, whatever its class: no key fails for ever. An attempt counts if it may have
     * run: one whose owner disappeared counts, and one that was given back before it ran does not. If the last one
     * disappeared, the next caller gets {@link Outcome.Failed} and nothing runs. {@link Semel#claim} knows no cap.
     */
    public Operation<T> withAttemptCap(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("An attempt cap must be at least 1, but is " + attempts);
        }
        return new Operation<>(scope, codec, terms, probe, classifier, failureEncoder, attempts, patience, shadow);
    }

    /** How long a duplicate waits for the running one's answer before it is told that one is in progress. */
    public Operation<T> waitingUpTo(Duration wait) {
        if (wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("A wait must be between 0 and 24 hours, but is " + wait);
        }
        return new Operation<>(scope, codec, terms, probe, classifier, failureEncoder, attemptCap, wait, shadow);
    }

    /** Journal claims and reports duplicates to the listener, but always runs the work: for trying Semel out. */
    public Operation<T> inShadow() {
        return new Operation<>(scope, codec, terms, probe, classifier, failureEncoder, attemptCap, patience, true);
    }

    /** The claim key of one of these. */
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

    Duration patience() {
        return patience;
    }

    boolean shadow() {
        return shadow;
    }

    private Operation<T> with(Terms newTerms, @Nullable Probe<T> newProbe) {
        return new Operation<>(
                scope, codec, newTerms, newProbe, classifier, failureEncoder, attemptCap, patience, shadow);
    }

    /** The class name alone: messages hold what users typed and what providers answered. */
    private static StoredResult nameOf(Throwable failure) {
        return new StoredResult(FAILURE_TYPE, failure.getClass().getName().getBytes(StandardCharsets.UTF_8));
    }
}
