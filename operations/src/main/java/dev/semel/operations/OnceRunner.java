// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.AsyncWork;
import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Semel;
import dev.semel.Work;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.internal.Futures;
import dev.semel.key.Secrets;
import dev.semel.payload.Body;
import dev.semel.payload.Kept;
import dev.semel.payload.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** Runs the work of operations, steps and payments through the engine, once for each key. */
final class OnceRunner {

    private final Semel semel;
    private final Secrets secrets;
    private final ResultForms forms;

    OnceRunner(Semel semel) {
        this.semel = Objects.requireNonNull(semel, "An engine must not be null");
        this.secrets = semel.secrets();
        this.forms = new ResultForms(secrets);
    }

    Secrets secrets() {
        return secrets;
    }

    <T> OperationResult<T> run(AliasedKey key, OperationRules rules, JsonForm<T> form, Work<T> work) {
        Objects.requireNonNull(work, "Work must not be null");
        return OperationResults.of(semel.execute(operation(key, rules, form), key, Fingerprint.NONE, work));
    }

    <T> CompletionStage<OperationResult<T>> runAsync(
            AliasedKey key, OperationRules rules, JsonForm<T> form, AsyncWork<T> work) {
        Objects.requireNonNull(work, "Work must not be null");
        return semel.executeAsync(operation(key, rules, form), key, Fingerprint.NONE, work)
                .handle((outcome, failure) -> failure == null ? OperationResults.of(outcome) : refused(failure));
    }

    /** Handles a failed stage of the engine: an error of the work, or an executor that rejected the task. */
    private static <T> OperationResult<T> refused(Throwable failure) {
        Throwable cause = Futures.unwrapped(failure);
        if (cause instanceof Error error) {
            throw error;
        }
        return OperationResults.unavailable(cause);
    }

    private <T> Operation<T> operation(AliasedKey key, OperationRules rules, JsonForm<T> form) {
        Objects.requireNonNull(form, "A form must not be null");
        Terms terms = rules.terms();
        Operation<T> operation = Operation.of(key.key().scope(), new Stored<>(forms, key, rules, form))
                .withLease(terms.lease())
                .withMaxRun(terms.maxRun())
                .waitingUpTo(rules.maxWait())
                .classifyingFailures(OnceRunner::classOf)
                .storingFailures(OnceRunner::stored);
        operation = terms.ttl().isPresent() ? operation.withTtl(terms.ttl().get()) : operation.withoutExpiry();
        return terms.onStale() == StalePolicy.PARK ? operation.parkWhenStale() : operation;
    }

    private static FailureClass classOf(Throwable failure) {
        return failure instanceof StopException stop ? stop.failureClass() : FailureClass.RETRYABLE;
    }

    /** Only a stop can be final. Its reason is one word, which may be stored in the clear. */
    private static StoredResult stored(Throwable failure) {
        String reason = failure instanceof StopException stop ? stop.stopReason() : StopReason.OPERATION_FAILED;
        return new StoredResult(OperationResults.STOP_TYPE, reason.getBytes(StandardCharsets.UTF_8));
    }

    /** Encodes and decodes the results of one key. */
    private record Stored<T>(ResultForms forms, AliasedKey key, OperationRules rules, JsonForm<T> form)
            implements Codec<T> {
        @Override
        public StoredResult encode(T value) throws Exception {
            return forms.write(rules, key, form.write(value));
        }

        @Override
        public T decode(StoredResult stored) throws Exception {
            Kept kept = forms.read(key, stored);
            return form.read(Json.parse(bodyOf(kept).bytes()));
        }

        private static Body bodyOf(Kept kept) {
            if (kept instanceof Kept.Exact exact) {
                return exact.body();
            }
            if (kept instanceof Kept.Sanitised sanitised) {
                return sanitised.body();
            }
            throw new IllegalStateException("A tombstone must be replayed without being decoded");
        }
    }
}
