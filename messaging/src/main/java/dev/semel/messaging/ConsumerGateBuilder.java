// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.claim.Fingerprint;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds a gate. The key and the dead-letter sink are required; everything else has a default. */
public final class ConsumerGateBuilder<M> {
    /** The tenant of all messages, unless {@link #tenant} sets another. */
    public static final String DEFAULT_TENANT = "default";

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MAX_RUN = Duration.ofHours(1);
    private static final Duration TTL = Duration.ofDays(7);

    private final Semel semel;
    private Operation<@Nullable Void> operation;
    private boolean joinsTransaction;
    private Function<? super M, ? extends @Nullable String> tenants = message -> DEFAULT_TENANT;
    private @Nullable Function<? super M, ? extends @Nullable String> keys;
    private Function<? super M, Fingerprint> fingerprints = message -> Fingerprint.NONE;
    private @Nullable DeadLetterSink<M> sink;
    private GatePolicy policy =
            new GatePolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(30), failure -> FailureClass.RETRYABLE);

    ConsumerGateBuilder(Semel semel, String scope) {
        this.semel = Objects.requireNonNull(semel, "An engine must not be null");
        this.operation = Operation.of(scope, Codec.nothing())
                .withLease(LEASE)
                .withMaxRun(MAX_RUN)
                .withTtl(TTL);
    }

    /**
     * Identifies a message: two messages with the same key are the same one. Required. Use an id that the sender gave the
     * message, and that is the same when the sender sends it again. A message for which the function returns null or throws
     * goes to the dead-letter sink.
     */
    public ConsumerGateBuilder<M> key(Function<? super M, ? extends @Nullable String> by) {
        keys = Objects.requireNonNull(by, "A key function must not be null");
        return this;
    }

    /** The tenant of a message; by default all messages belong to {@value #DEFAULT_TENANT}. Tenants never share a key. */
    public ConsumerGateBuilder<M> tenant(Function<? super M, ? extends @Nullable String> by) {
        tenants = Objects.requireNonNull(by, "A tenant function must not be null");
        return this;
    }

    /**
     * The content of a message. A message with the key but not the fingerprint of an earlier one is no duplicate: it goes to
     * the dead-letter sink. By default the content is not compared.
     */
    public ConsumerGateBuilder<M> fingerprint(Function<? super M, Fingerprint> by) {
        fingerprints = Objects.requireNonNull(by, "A fingerprint function must not be null");
        return this;
    }

    /** Where messages go that are given up. Required, because otherwise one bad message would stop its queue for ever. */
    public ConsumerGateBuilder<M> deadLetters(DeadLetterSink<M> to) {
        sink = Objects.requireNonNull(to, "A dead-letter sink must not be null");
        return this;
    }

    /** How often a message is tried before it goes to the dead-letter sink; by default 5 times. */
    public ConsumerGateBuilder<M> maxAttempts(int value) {
        policy = new GatePolicy(value, policy.firstPause(), policy.maxPause(), policy.classifier());
        return this;
    }

    /** How long to wait after a failed attempt; by default 1 s, doubled with each attempt up to 30 s. */
    public ConsumerGateBuilder<M> pauses(Duration first, Duration max) {
        policy = new GatePolicy(policy.maxAttempts(), first, max, policy.classifier());
        return this;
    }

    /**
     * Classifies the exceptions of the handler. By default all are retryable. A final one sends the message to the dead-letter
     * sink at once. After an unknown one the message goes there too, and its claim waits for a person.
     */
    public ConsumerGateBuilder<M> classifyingFailures(Function<Throwable, FailureClass> by) {
        Objects.requireNonNull(by, "A failure classifier must not be null");
        policy = new GatePolicy(policy.maxAttempts(), policy.firstPause(), policy.maxPause(), by);
        return this;
    }

    /**
     * How long a message stays claimed after its consumer was killed; by default 30 s. The engine renews the lease while the
     * handler runs, so a handler may take longer.
     */
    public ConsumerGateBuilder<M> lease(Duration value) {
        Duration maxRun = operation.terms().maxRun();
        operation = operation.withLease(value).withMaxRun(maxRun.compareTo(value) < 0 ? value : maxRun);
        return this;
    }

    /** How long a handler may run in all before another consumer may take over; by default an hour. */
    public ConsumerGateBuilder<M> maxRun(Duration value) {
        operation = operation.withMaxRun(value);
        return this;
    }

    /**
     * How long a message is remembered; by default 7 days. Set it to at least the retention of the queue: a message that is
     * delivered again later than this is processed again.
     */
    public ConsumerGateBuilder<M> ttl(Duration value) {
        operation = operation.withTtl(value);
        return this;
    }

    /**
     * A message whose consumer disappeared is not processed again. It goes to the dead-letter sink, and its claim waits for a
     * person. For effects that must not be repeated, and whose receiver does not honour a child key.
     */
    public ConsumerGateBuilder<M> parkWhenStale() {
        operation = operation.parkWhenStale();
        return this;
    }

    /** The handler runs in the transaction of the application's framework: see {@link Operation#joinTransaction}. */
    public ConsumerGateBuilder<M> joinTransaction() {
        operation = operation.joinTransaction();
        joinsTransaction = true;
        return this;
    }

    /** The handler may run while the thread has an open transaction: see {@link Operation#outsideTransaction}. */
    public ConsumerGateBuilder<M> outsideTransaction() {
        operation = operation.outsideTransaction();
        joinsTransaction = false;
        return this;
    }

    public ConsumerGate<M> build() {
        if (keys == null) {
            throw new IllegalStateException(
                    "A gate needs to know what identifies a message: call key(...) with a function that returns an id");
        }
        if (sink == null) {
            throw new IllegalStateException(
                    "A gate needs a place for messages that cannot be processed: call deadLetters(...) with a sink");
        }
        MessageIdentity<M> identity = new MessageIdentity<>(operation.scope(), tenants, keys, fingerprints);
        return new ConsumerGate<>(semel, operation, identity, policy, sink, joinsTransaction);
    }
}
