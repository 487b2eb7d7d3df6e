// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.RunContext;
import dev.semel.Semel;
import dev.semel.jdbc.TransactionAbortedException;
import dev.semel.jdbc.TransactionalClaims;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.Redeliver;
import dev.semel.messaging.Disposition.Why;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes each message of a queue once and says when to acknowledge it.
 *
 * <pre>{@code
 * ConsumerGate<Order> gate = ConsumerGate.<Order>on(semel, "orders.place")
 *         .key(Order::id)
 *         .deadLetters((o, letter) -> deadOrders.insert(letter.id(), o, letter.reason()))
 *         .build();
 *
 * Disposition disposition = gate.receive(order, (o, run) -> payments.charge(o, run.childKey("charge")));
 * if (disposition.acknowledged()) {
 *     queue.acknowledge(order);
 * }
 * }</pre>
 *
 * <p>A delivery goes through these steps:
 *
 * <ol>
 *   <li>The message's key is claimed. A message that was done before is acknowledged; one that another consumer is processing,
 *       and every message while the store is unavailable, is redelivered later. In none of these cases the handler runs.
 *   <li>The handler runs. The engine renews the claim's lease meanwhile.
 *   <li>The claim is settled. Only if the store confirms it, the message is acknowledged. If the handler failed, the message is
 *       redelivered after a growing pause.
 *   <li>After the last attempt, and after a final failure, the message goes to the dead-letter sink. Once the sink has it, it
 *       is acknowledged.
 * </ol>
 *
 * <p>Effects on the connection of a {@link TransactionalMessageHandler} happen exactly once. Other effects can happen again
 * after a crash: send {@link RunContext#childKey} with them. Thread-safe.
 *
 * @param <M> the message
 */
public final class ConsumerGate<M> {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerGate.class);

    private final Semel semel;
    private final Operation<@Nullable Void> operation;
    private final MessageIdentity<M> identity;
    private final GatePolicy policy;
    private final DeadLetters<M> letters;
    private final boolean joinsTransaction;

    ConsumerGate(
            Semel semel,
            Operation<@Nullable Void> operation,
            MessageIdentity<M> identity,
            GatePolicy policy,
            DeadLetterSink<M> sink,
            boolean joinsTransaction) {
        this.semel = semel;
        this.operation = operation;
        this.identity = identity;
        this.policy = policy;
        this.letters = new DeadLetters<>(semel, operation, sink, policy);
        this.joinsTransaction = joinsTransaction;
    }

    /**
     * A gate on this engine.
     *
     * @param scope the kind of work, by a name that stays the same when classes and topics are renamed. Two consumers that do
     *     different work with the same messages have different scopes
     */
    public static <M> ConsumerGateBuilder<M> on(Semel semel, String scope) {
        return new ConsumerGateBuilder<>(semel, scope);
    }

    /**
     * Processes the message on this thread, unless it was processed before.
     *
     * @throws IllegalStateException if this thread is already processing a message with this key, or has an open transaction
     *     that the gate neither joins nor ignores
     */
    public Disposition receive(M message, MessageHandler<M> handler) {
        Objects.requireNonNull(handler, "A handler must not be null");
        return identified(
                message,
                id -> received(
                        message,
                        id,
                        attempt -> semel.execute(attempt.of(operation), id.key(), id.fingerprint(), run -> {
                            attempt.begin(run.attempt());
                            return handled(() -> handler.handle(message, run));
                        })));
    }

    /**
     * Processes the message in a transaction that also holds its claim: the handler's writes, the claim and its result are one
     * commit, or none of them happened. A consumer that is killed leaves nothing behind, so such an attempt does not count.
     *
     * <p>Use this or {@link #receive(Object, MessageHandler)} for one scope, not both: their claims are different ones.
     */
    public Disposition receive(M message, TransactionalClaims claims, TransactionalMessageHandler<M> handler) {
        Objects.requireNonNull(handler, "A handler must not be null");
        return identified(
                message,
                id -> received(
                        message,
                        id,
                        attempt -> claims.inTransaction(
                                attempt.of(operation), id.key(), id.fingerprint(), (connection, run) -> {
                                    attempt.begin(run.attempt());
                                    return handled(() -> handler.handle(message, connection, run));
                                })));
    }

    /** @param execution claims the message, runs the handler and settles */
    private Disposition received(
            M message, MessageIdentity.Id id, Function<GateAttempt, Outcome<@Nullable Void>> execution) {
        GateAttempt attempt = new GateAttempt(policy);
        try {
            Outcome<@Nullable Void> outcome = execution.apply(attempt);
            if (outcome instanceof Outcome.Retryable<@Nullable Void> failed && !attempt.hasFailed()) {
                return undone(message, id, execution, attempt, failed.cause());
            }
            return disposition(message, id, attempt, outcome);
        } catch (TransactionAbortedException e) {
            return undone(message, id, execution, attempt, e);
        }
    }

    /**
     * The handler returned, but its transaction was rolled back, and the claim with it. The failure is stored in another
     * transaction. Otherwise the attempt would not count, and the message would be tried without end.
     */
    private Disposition undone(
            M message,
            MessageIdentity.Id id,
            Function<GateAttempt, Outcome<@Nullable Void>> execution,
            GateAttempt attempt,
            Throwable failure) {
        if (attempt.number() > 0) {
            LOG.error(
                    "Transaction of a handler of {} was rolled back: {}",
                    operation.scope(),
                    failure.getClass().getName());
            GateAttempt failing = GateAttempt.failingWith(failure, policy);
            try {
                return disposition(message, id, failing, execution.apply(failing));
            } catch (RuntimeException e) {
                if (e != failure) {
                    failure.addSuppressed(e);
                }
            }
        }
        LOG.warn("Claim of a message of {} could not be stored; the message is redelivered", operation.scope());
        return new Redeliver(policy.maxPause(), Why.STORE_UNAVAILABLE, failure);
    }

    /**
     * Processes several messages, in their order. The claims of new messages are made in one call to the store, and the handler
     * receives these messages together. A message that failed before is passed alone. After the first message that is not done,
     * no further ones are begun.
     *
     * @return a disposition for each message, in their order
     * @throws IllegalStateException if this thread has an open transaction that the gate does not ignore
     */
    public List<Disposition> receiveAll(List<M> messages, BatchMessageHandler<M> handler) {
        Objects.requireNonNull(handler, "A handler must not be null");
        if (joinsTransaction) {
            throw new IllegalStateException(
                    "A gate with joinTransaction() cannot process batches, because each message has its own transaction:"
                            + " use receive for each message");
        }
        semel.requireOutsideTransaction(operation);
        return new BatchReception<>(semel, this, operation.terms(), identity, policy, letters, handler)
                .receive(messages);
    }

    /**
     * Passes a message to the dead-letter sink that could not be read, for example because it could not be deserialized.
     *
     * @param cause why it could not be read
     */
    public Disposition unreadable(M message, Throwable cause) {
        return letters.unreadable(message, cause);
    }

    /** The longest pause of a {@link Redeliver}. */
    public Duration maxPause() {
        return policy.maxPause();
    }

    private interface Step {
        void run() throws Exception;
    }

    @SuppressWarnings("NullAway") // It does not look into type arguments.
    private static Void handled(Step step) throws Exception {
        try {
            step.run();
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw e;
        }
    }

    private Disposition identified(M message, Function<MessageIdentity.Id, Disposition> then) {
        MessageIdentity.Id id;
        try {
            id = identity.of(message);
        } catch (Exception e) {
            return letters.unreadable(message, e);
        }
        return then.apply(id);
    }

    private Disposition disposition(
            M message, MessageIdentity.Id id, GateAttempt attempt, Outcome<@Nullable Void> outcome) {
        if (outcome instanceof Outcome.Succeeded<@Nullable Void> done) {
            return new Acknowledge(done.replayed());
        }
        if (outcome instanceof Outcome.Rejected<@Nullable Void> rejected) {
            return new Acknowledge(rejected.replayed());
        }
        if (outcome instanceof Outcome.Tombstone<@Nullable Void>) {
            return new Acknowledge(true);
        }
        if (outcome instanceof Outcome.InProgress<@Nullable Void> running) {
            return new Redeliver(running.retryAfter(), Why.IN_PROGRESS, null);
        }
        if (outcome instanceof Outcome.Retryable<@Nullable Void> failed) {
            return failed(attempt.number(), failed.cause());
        }
        if (outcome instanceof Outcome.Failed<@Nullable Void> failed) {
            return letters.failed(message, id.key(), failed.stored(), failed.cause());
        }
        if (outcome instanceof Outcome.Unknown<@Nullable Void> unknown) {
            return letters.unknown(message, id.key(), unknown.reason(), unknown.cause());
        }
        if (outcome instanceof Outcome.Mismatch<@Nullable Void>) {
            return letters.keyReused(message, id.key(), id.fingerprint());
        }
        if (outcome instanceof Outcome.Unsettled<@Nullable Void> unsettled) {
            LOG.warn(
                    "Message of {} was processed, but its claim could not be settled: {}; it is redelivered",
                    operation.scope(),
                    unsettled.reason());
            return new Redeliver(policy.firstPause(), Why.UNSETTLED, unsettled.failure());
        }
        Outcome.Unavailable<@Nullable Void> unavailable = (Outcome.Unavailable<@Nullable Void>) outcome;
        LOG.warn(
                "Store unavailable for a message of {}: {}; it is redelivered",
                operation.scope(),
                unavailable.reason());
        return new Redeliver(policy.firstPause(), Why.STORE_UNAVAILABLE, unavailable.cause());
    }

    Disposition failed(int attempt, Throwable cause) {
        Redeliver redeliver = new Redeliver(policy.pauseAfter(attempt), Why.ATTEMPT_FAILED, cause);
        LOG.warn(
                "Attempt {} of {} at a message of {} failed with {}; it is tried again after {}",
                attempt,
                policy.maxAttempts(),
                operation.scope(),
                cause.getClass().getName(),
                redeliver.after());
        return redeliver;
    }
}
