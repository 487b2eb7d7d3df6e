// SPDX-License-Identifier: Apache-2.0
package dev.semel.messaging;

import dev.semel.Codec;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Semel;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StoredResult;
import dev.semel.messaging.DeadLetter.Reason;
import dev.semel.messaging.Disposition.Acknowledge;
import dev.semel.messaging.Disposition.DeadLettered;
import dev.semel.messaging.Disposition.Redeliver;
import dev.semel.messaging.Disposition.Why;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes messages that are given up to the sink. A claim of its own, in the scope {@code <scope>:dead-letter}, keeps a
 * duplicate of the message from reaching the sink again, and gives every attempt the same id.
 */
final class DeadLetters<M> {
    private static final Logger LOG = LoggerFactory.getLogger(ConsumerGate.class);
    private static final String CHILD = "dead-letter";

    /** The sink keeps the letter, so a replay has none. */
    @SuppressWarnings("NullAway") // It does not look into type arguments.
    private static final Codec<@Nullable DeadLetter> NOT_KEPT =
            Codec.of(letter -> StoredResult.ofNull(), stored -> null);

    private final Semel semel;
    private final Operation<@Nullable DeadLetter> operation;
    private final DeadLetterSink<M> sink;
    private final GatePolicy policy;
    private final String scope;

    DeadLetters(Semel semel, Operation<?> messages, DeadLetterSink<M> sink, GatePolicy policy) {
        this.semel = semel;
        this.sink = sink;
        this.policy = policy;
        this.scope = messages.scope();
        Operation<@Nullable DeadLetter> letters = Operation.of(scope + ":dead-letter", NOT_KEPT)
                .withLease(messages.terms().lease())
                .withMaxRun(messages.terms().maxRun())
                .outsideTransaction();
        this.operation = messages.terms().ttl().map(letters::withTtl).orElseGet(letters::withoutExpiry);
    }

    /** A message whose claim is settled as failed. */
    Disposition failed(M message, ClaimKey key, @Nullable StoredResult stored, @Nullable Throwable cause) {
        StoredLetter known = StoredLetter.read(stored).orElse(null);
        if (known == null) {
            // Another program or an operator settled it, so nothing tells this failure from a later one of the same
            // key.
            return uncounted(
                    message, idOf(key), Reason.PERMANENT_FAILURE, "settled as failed by another program", cause);
        }
        Outcome<@Nullable DeadLetter> outcome =
                semel.execute(operation, operation.key(key.tenant(), known.id()), run -> {
                    DeadLetter letter = new DeadLetter(
                            run.childKey(CHILD), known.reason(), known.attempts(), known.detail(), cause);
                    sink.accept(message, letter);
                    return letter;
                });
        if (outcome instanceof Outcome.Succeeded<@Nullable DeadLetter> done && done.value() != null) {
            return lettered(done.value());
        }
        if (outcome instanceof Outcome.Retryable<?> failed) {
            return sinkFailed(failed.cause());
        }
        if (outcome instanceof Outcome.InProgress<?> running) {
            return new Redeliver(running.retryAfter(), Why.IN_PROGRESS, null);
        }
        if (outcome instanceof Outcome.Unavailable<?> unavailable) {
            return new Redeliver(policy.firstPause(), Why.STORE_UNAVAILABLE, unavailable.cause());
        }
        if (outcome instanceof Outcome.Unsettled<?> unsettled) {
            return new Redeliver(policy.firstPause(), Why.UNSETTLED, unsettled.failure());
        }
        return new Acknowledge(true);
    }

    /** A message whose effect is unknown. */
    Disposition unknown(M message, ClaimKey key, String detail, @Nullable Throwable cause) {
        return uncounted(message, idOf(key), Reason.UNKNOWN_OUTCOME, detail, cause);
    }

    /** A message with the key of another one. The id depends on its content too: others may have reused the key as well. */
    Disposition keyReused(M message, ClaimKey key, Fingerprint fingerprint) {
        String content = HexFormat.of().formatHex(fingerprint.bytes());
        ClaimKey both = operation.key(key.tenant(), idOf(key) + ":" + content);
        return uncounted(
                message, idOf(both), Reason.KEY_REUSED, "the key belongs to a message with other content", null);
    }

    /** A message without a valid key. */
    Disposition unreadable(M message, Throwable cause) {
        return uncounted(
                message,
                UUID.randomUUID().toString(),
                Reason.UNREADABLE,
                cause.getClass().getName(),
                cause);
    }

    /** Passes a message to the sink on every delivery, because no claim can tell a duplicate from a new problem. */
    private Disposition uncounted(M message, String id, Reason reason, String detail, @Nullable Throwable cause) {
        DeadLetter letter = new DeadLetter(id, reason, 0, detail, cause);
        try {
            sink.accept(message, letter);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return sinkFailed(e);
        }
        return lettered(letter);
    }

    private Disposition lettered(DeadLetter letter) {
        LOG.warn(
                "Message of {} passed to the dead-letter sink after {} attempts: {}, {}",
                scope,
                letter.attempts(),
                letter.reason(),
                letter.detail());
        return new DeadLettered(letter);
    }

    private Disposition sinkFailed(Throwable cause) {
        LOG.error(
                "Dead-letter sink of {} failed with {}; the message stays unacknowledged and is redelivered",
                scope,
                cause.getClass().getName());
        return new Redeliver(policy.maxPause(), Why.SINK_FAILED, cause);
    }

    private String idOf(ClaimKey key) {
        return semel.refOf(key).digest().toString();
    }
}
