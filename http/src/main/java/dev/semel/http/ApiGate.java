// SPDX-License-Identifier: Apache-2.0
package dev.semel.http;

import dev.semel.Codec;
import dev.semel.FailureClass;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.RunContext;
import dev.semel.Semel;
import dev.semel.claim.StalePolicy;
import dev.semel.claim.StoredResult;
import dev.semel.claim.Terms;
import dev.semel.payload.compare.Sketches;
import dev.semel.payload.json.JsonException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Runs an HTTP request once for its {@code Idempotency-Key}, and answers every duplicate with the stored answer.
 *
 * <ol>
 *   <li>{@link Admission} decides from the headers whether a request is protected.
 *   <li>The key is unique within the tenant and the scope {@code api:<METHOD>:<ROUTE>:actor:<ACTOR>}.
 *   <li>A different request with the same key is a conflict, even while the first request is running.
 *   <li>The first request runs. A final answer is stored. Any other answer releases the key.
 *   <li>A duplicate receives the stored answer, or the answer that the first request is still in progress.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class ApiGate {
    private final Semel semel;
    private final StoredAnswers answers;
    private final Sketches sketches;
    private final ConflictListener conflicts;

    public ApiGate(Semel semel) {
        this(semel, (ref, pointers) -> {});
    }

    /** @param conflicts is told where a request differs from the one that first used its key */
    public ApiGate(Semel semel, ConflictListener conflicts) {
        this.semel = Objects.requireNonNull(semel, "An engine must not be null");
        this.answers = new StoredAnswers(semel.secrets());
        this.sketches = RequestFingerprint.sketches(semel.secrets());
        this.conflicts = Objects.requireNonNull(conflicts, "A listener must not be null");
    }

    /** Runs the request on the calling thread unless it is a duplicate. */
    public ApiReply run(ApiRules rules, ApiRequest request, ApiWork work) {
        Asked asked;
        try {
            asked = asked(rules, request);
        } catch (JsonException e) {
            return badBody(rules, e);
        }
        Outcome<SettledAnswer> outcome = semel.execute(
                asked.operation(),
                asked.print().key(),
                asked.print().sketched(sketches),
                context -> asked.settled(work.run(asked.attempt(context))));
        return replies(asked).of(outcome);
    }

    /** As {@link #run}, without blocking. Cancelling the future does not stop the request. */
    public CompletionStage<ApiReply> runAsync(ApiRules rules, ApiRequest request, AsyncApiWork work) {
        Asked asked;
        try {
            asked = asked(rules, request);
        } catch (JsonException e) {
            return CompletableFuture.completedFuture(badBody(rules, e));
        }
        return semel.executeAsync(
                        asked.operation(),
                        asked.print().key(),
                        asked.print().sketched(sketches),
                        context -> asked.started(context, work))
                .thenApply(outcome -> replies(asked).of(outcome));
    }

    /**
     * Claims and starts the request on the calling thread, and settles when its stage completes: see {@link
     * Semel#executeOnCaller}. The returned reply is already complete if the request and its settlement are complete.
     */
    public CompletionStage<ApiReply> runOnCaller(ApiRules rules, ApiRequest request, AsyncApiWork work) {
        Asked asked;
        try {
            asked = asked(rules, request);
        } catch (JsonException e) {
            return CompletableFuture.completedFuture(badBody(rules, e));
        }
        return semel.executeOnCaller(
                        asked.operation(),
                        asked.print().key(),
                        asked.print().sketched(sketches),
                        context -> asked.started(context, work))
                .thenApply(outcome -> replies(asked).of(outcome));
    }

    private Replies replies(Asked asked) {
        return new Replies(
                asked.rules(),
                asked.print(),
                sketches,
                answers,
                difference -> conflicts.onConflict(semel.refOf(asked.print().key()), difference.headerValue()));
    }

    private static ApiReply badBody(ApiRules rules, JsonException e) {
        return new ApiReply.Answer(rules.problems().badBody(e.reason()));
    }

    private Asked asked(ApiRules rules, ApiRequest request) {
        RequestFingerprint print = RequestFingerprint.of(rules, request);
        Duration wait = Preferences.wait(request.prefer(), rules.longestWait());
        Terms terms = rules.terms();
        Operation<SettledAnswer> operation = Operation.of(print.key().scope(), new Stored(answers, rules, print))
                .withLease(terms.lease())
                .withMaxRun(terms.maxRun())
                .waitingUpTo(wait)
                .classifyingFailures(failure ->
                        failure instanceof UnfinishedAttempt end ? end.failureClass() : FailureClass.RETRYABLE)
                .storingFailures(failure -> failed(rules, print, failure));
        operation = terms.ttl().isPresent() ? operation.withTtl(terms.ttl().get()) : operation.withoutExpiry();
        operation = terms.onStale() == StalePolicy.PARK ? operation.parkWhenStale() : operation;
        return new Asked(rules, print, operation, answers);
    }

    private StoredResult failed(ApiRules rules, RequestFingerprint print, Throwable failure) {
        SettledAnswer settled = ((UnfinishedAttempt) failure).settled();
        return answers.write(rules, print.binding(), Objects.requireNonNull(settled.fresh()), settled.expiry());
    }

    /** Writes and reads the answers of one key. */
    private record Stored(StoredAnswers answers, ApiRules rules, RequestFingerprint print)
            implements Codec<SettledAnswer> {
        @Override
        public StoredResult encode(SettledAnswer value) {
            return answers.write(rules, print.binding(), Objects.requireNonNull(value.fresh()), value.expiry());
        }

        @Override
        public SettledAnswer decode(StoredResult stored) {
            return SettledAnswer.before(stored);
        }
    }

    /** One request, and how it runs. */
    private record Asked(
            ApiRules rules, RequestFingerprint print, Operation<SettledAnswer> operation, StoredAnswers answers) {
        Attempt attempt(RunContext context) {
            String key = print.shownKey();
            return new Attempt(
                    key,
                    context.childKey("http"),
                    context.attempt(),
                    context.fence(),
                    IdempotencyHeaders.of(key, IdempotencyHeaders.Status.MISS));
        }

        CompletionStage<SettledAnswer> started(RunContext context, AsyncApiWork work) {
            return work.start(attempt(context)).thenCompose(this::settledStage);
        }

        private CompletionStage<SettledAnswer> settledStage(ApiResult result) {
            try {
                return CompletableFuture.completedFuture(settled(result));
            } catch (UnfinishedAttempt e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** The final answer. Throws if the request failed permanently, may run again, or has an unknown outcome. */
        SettledAnswer settled(ApiResult result) throws UnfinishedAttempt {
            SettledAnswer settled = SettledAnswer.now(result, Expiry.after(rules.ttl()));
            if (result instanceof ApiResult.NotSent) {
                throw new UnfinishedAttempt(settled, FailureClass.RETRYABLE);
            }
            if (result instanceof ApiResult.Lost) {
                boolean parks = rules.terms().onStale() == StalePolicy.PARK;
                throw new UnfinishedAttempt(settled, parks ? FailureClass.UNKNOWN : FailureClass.RETRYABLE);
            }
            int status = result instanceof ApiResult.Streamed streamed
                    ? streamed.status()
                    : ((ApiResult.Complete) result).answer().status();
            if (rules.released().contains(status)) {
                throw new UnfinishedAttempt(settled, FailureClass.RETRYABLE);
            }
            if (status >= 400) {
                throw new UnfinishedAttempt(settled, FailureClass.FINAL);
            }
            return settled;
        }
    }
}
