// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.CallObserver.Step;
import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
import dev.semel.lane.Environment;
import dev.semel.replay.EpochGuardedCache;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs granted work and settles its claim: after success, after failure, and after a probe where one is required. */
final class Execution {
    private final Environment environment;
    private final Settlements settlements;
    private final CachedOutcomes cache;
    private final Events events;
    private final NestingGuard guard;

    Execution(
            Environment environment, Settlements settlements, CachedOutcomes cache, Events events, NestingGuard guard) {
        this.environment = environment;
        this.settlements = settlements;
        this.cache = cache;
        this.events = events;
        this.guard = guard;
    }

    /** Runs the work of a granted claim, unless a probe or the attempt cap decides otherwise, and settles it. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> of(
            Operation<T> operation, ClaimCall call, Run run, AsyncWork<T> work) {
        if (operation.shadow()) {
            return execute(operation, call, run, work);
        }
        return run.claim().origin() == Claim.Origin.RECONCILE
                ? reconcile(operation, call, run, work)
                : executeWithinCap(operation, call, run, work);
    }

    /** Runs the work of a duplicate in shadow mode, which owns nothing and settles nothing. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> inShadow(
            Operation<T> operation, ClaimCall call, ClaimOutcome instead, AsyncWork<T> work) {
        if (!(instead instanceof ClaimOutcome.Unavailable)) {
            events.fire(Kind.SHADOW_DUPLICATE, call.ref(), operation.scope(), 0, null);
        }
        ShadowContext context =
                new ShadowContext(new RecordId(environment.randomBytes(RecordId.LENGTH)), operation.rejecting());
        return started(call, context, work).handle((value, failure) -> {
            if (failure == null) {
                Rejection rejection = context.rejecting().rejection();
                return rejection == null
                        ? new Outcome.Succeeded<>(value, false)
                        : new Outcome.Rejected<>(rejection, false);
            }
            Throwable cause = Futures.unwrapped(failure);
            if (cause instanceof Error error) {
                throw error;
            }
            return new Outcome.Retryable<>(cause);
        });
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> executeWithinCap(
            Operation<T> operation, ClaimCall call, Run run, AsyncWork<T> work) {
        OptionalInt cap = operation.attemptCap();
        return cap.isPresent() && run.attempt() > cap.getAsInt()
                ? giveUp(call, run)
                : execute(operation, call, run, work);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> giveUp(ClaimCall call, Run run) {
        run.stop();
        String reason = "given up after %d attempts".formatted(run.attempt() - 1);
        StoredResult stored = Operation.failure(reason);
        return settle(call, run, Status.FAILED, stored, reason)
                .thenApply(answer -> ifConfirmed(answer, null, null, new Outcome.Failed<>(stored, null, true)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> execute(
            Operation<T> operation, ClaimCall call, Run run, AsyncWork<T> work) {
        return started(call, run, work)
                .handle((value, failure) -> failure == null
                        ? returned(operation, call, run, value)
                        : failed(operation, call, run, Futures.unwrapped(failure)))
                .thenCompose(Function.identity());
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> returned(
            Operation<T> operation, ClaimCall call, Run run, T value) {
        Rejection rejection = run.rejecting().rejection();
        return rejection == null ? succeeded(operation, call, run, value) : rejected(call, run, rejection);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> rejected(
            ClaimCall call, Run run, Rejection rejection) {
        run.stop();
        return settle(call, run, Status.FAILED, rejection.stored(), "rejected: " + rejection.code())
                .thenApply(answer -> ifConfirmed(answer, null, null, new Outcome.Rejected<>(rejection, false)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> succeeded(
            Operation<T> operation, ClaimCall call, Run run, T value) {
        // Before the settlement: a renewal after it would be refused and look like a lost claim.
        run.stop();
        StoredResult result = Settlements.encoded(operation::encode, value);
        return settle(call, run, Status.SUCCEEDED, result, null)
                .thenApply(answer -> ifConfirmed(answer, value, null, new Outcome.Succeeded<>(value, false)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> failed(
            Operation<T> operation, ClaimCall call, Run run, Throwable failure) {
        run.stop();
        FailureClass failureClass = Failures.classOf(operation, run.claim(), failure);
        String reason = Settlements.reason("threw " + failure.getClass().getName());
        StoredResult stored =
                failureClass == FailureClass.FINAL ? Settlements.encoded(operation::encodeFailure, failure) : null;
        return settle(call, run, Failures.statusOf(failureClass), stored, reason)
                .thenApply(answer -> {
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    return ifConfirmed(
                            answer,
                            null,
                            failure,
                            switch (failureClass) {
                                case RETRYABLE -> new Outcome.Retryable<>(failure);
                                case FINAL -> new Outcome.Failed<>(stored, failure, false);
                                case UNKNOWN -> new Outcome.Unknown<>(reason, failure);
                            });
                });
    }

    /** Settles. A permanent answer that is confirmed is also the answer for followers and for the cache. */
    private CompletableFuture<Ownership> settle(
            ClaimCall call, Run run, Status status, @Nullable StoredResult result, @Nullable String reason) {
        EpochGuardedCache.Epoch epoch = cache.epoch();
        long sent = environment.nanoTime();
        return settlements
                .settle(
                        run.claim(),
                        status,
                        result,
                        reason,
                        call.caller(),
                        call.observed().begin(Step.SETTLE))
                .thenApply(answer -> {
                    if (answer instanceof Ownership.Confirmed
                            && (status == Status.SUCCEEDED || status == Status.FAILED)) {
                        run.answered(
                                status == Status.SUCCEEDED
                                        ? new ClaimOutcome.Succeeded(result)
                                        : new ClaimOutcome.Failed(result));
                        Duration ttl = run.claim().terms().ttl().orElse(null);
                        call.answerHolds(sent, ttl);
                        Duration left = ttl == null ? null : ttl.minusNanos(environment.nanoTime() - sent);
                        // Under the reference of the record: after a conflict the key itself has another record.
                        cache.keep(epoch, run.claim().ref(), call.fingerprint(), status, result, left);
                    }
                    return answer;
                });
    }

    /** The outcome if the settlement was confirmed. Otherwise the work ran, but that is not stored. */
    private static <T extends @Nullable Object> Outcome<T> ifConfirmed(
            Ownership answer, @Nullable T value, @Nullable Throwable failure, Outcome<T> confirmed) {
        if (answer instanceof Ownership.Lost lost) {
            return new Outcome.Unsettled<>(value, failure, true, lost.why());
        }
        if (answer instanceof Ownership.Unavailable unavailable) {
            return new Outcome.Unsettled<>(value, failure, false, unavailable.reason());
        }
        return confirmed;
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> reconcile(
            Operation<T> operation, ClaimCall call, Run run, AsyncWork<T> work) {
        ProbeAnswer<T> answer;
        try {
            answer = probe(operation, call, run);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            run.stop();
            return settlements
                    .giveBack(run.claim(), call.observed().begin(Step.SETTLE))
                    .thenApply(given -> {
                        if (e instanceof Error error) {
                            throw error;
                        }
                        return new Outcome.Retryable<>(e);
                    });
        }
        if (answer instanceof ProbeAnswer.Done<T> done) {
            return returned(operation, call, run, done.value()).thenApply(Execution::doneBefore);
        }
        run.rejecting().clear();
        if (answer instanceof ProbeAnswer.Unknown<T> unknown) {
            run.stop();
            String reason = Settlements.reason(unknown.reason());
            return settle(call, run, Status.UNKNOWN, null, reason).thenApply(parked -> new Outcome.Unknown<>(reason));
        }
        return executeWithinCap(operation, call, run, work);
    }

    private static <T extends @Nullable Object> Outcome<T> doneBefore(Outcome<T> outcome) {
        if (outcome instanceof Outcome.Rejected<T> rejected) {
            return new Outcome.Rejected<>(rejected.rejection(), true);
        }
        return outcome instanceof Outcome.Succeeded<T> found ? new Outcome.Succeeded<>(found.value(), true) : outcome;
    }

    private <T extends @Nullable Object> ProbeAnswer<T> probe(Operation<T> operation, ClaimCall call, Run run)
            throws Exception {
        Probe<T> probe = operation.probe();
        if (probe == null) {
            return ProbeAnswer.unknown("the owner's lease ended, and this operation has no probe");
        }
        NestingGuard.Running running = guard.enter(refs(call, run));
        try {
            return Objects.requireNonNull(probe.ask(run), "A probe must not return null");
        } finally {
            running.close();
        }
    }

    /** Calls the work. Any exception that it throws ends up in the future. */
    private <T extends @Nullable Object> CompletableFuture<T> started(
            ClaimCall call, RunContext context, AsyncWork<T> work) {
        NestingGuard.Running running = guard.enter(refs(call, context));
        Observed observed = call.observed().begin(Step.RUN);
        CallObserver.Current current = observed.enter();
        try {
            return observed.ran(context.attempt(), work.start(context).toCompletableFuture());
        } catch (Throwable e) {
            observed.ran(context.attempt(), e);
            return CompletableFuture.failedFuture(e);
        } finally {
            current.close();
            running.close();
        }
    }

    /** Every digest of the call and that of its record, because an inner call by any of them would wait for the outer. */
    private static Set<ClaimRef> refs(ClaimCall call, RunContext context) {
        Set<ClaimRef> refs = call.digests().refs();
        if (context instanceof Run run) {
            refs.add(run.claim().ref());
        }
        return refs;
    }
}
