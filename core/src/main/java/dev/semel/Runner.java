// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Claim, run, settle, answer: one asynchronous path for blocking and asynchronous callers alike. */
final class Runner {
    private final Claims claims;
    private final PatientClaims patientClaims;
    private final Settlements settlements;
    private final Events events;
    private final ScheduledExecutorService timer;
    private final Executor callbacks;

    /** What the current thread is in the middle of; a key inside itself would wait for itself. */
    private final ThreadLocal<Set<ClaimRef>> running = ThreadLocal.withInitial(HashSet::new);

    Runner(
            Claims claims,
            PatientClaims patientClaims,
            Settlements settlements,
            Events events,
            ScheduledExecutorService timer,
            Executor callbacks) {
        this.claims = claims;
        this.patientClaims = patientClaims;
        this.settlements = settlements;
        this.events = events;
        this.timer = timer;
        this.callbacks = callbacks;
    }

    /** Runs the work on the calling thread. */
    <T extends @Nullable Object> Outcome<T> run(
            Operation<T> operation, Names names, Fingerprint fingerprint, Work<T> work) {
        ClaimOutcome claimed = claimed(operation, names, fingerprint).join();
        try {
            return proceed(operation, names.ref(), begun(claimed), inline(work)).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /** Starts the work on the callback executor. Cancelling the returned future cancels nothing: the work goes on. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> runAsync(
            Operation<T> operation, Names names, Fingerprint fingerprint, AsyncWork<T> work) {
        // Renewed from the grant on: the executor may take longer to begin than the lease lasts.
        CompletableFuture<Begun> claimed =
                claimed(operation, names, fingerprint).thenApply(this::begun);
        CompletableFuture<Outcome<T>> outcome =
                claimed.thenComposeAsync(begun -> proceed(operation, names.ref(), begun, work), callbacks);
        // In case that the executor took nothing at all.
        outcome.whenComplete((ended, failure) -> claimed.thenAccept(Begun::stop));
        return outcome.thenApplyAsync(Function.identity(), callbacks);
    }

    private CompletableFuture<ClaimOutcome> claimed(Operation<?> operation, Names names, Fingerprint fingerprint) {
        if (names.anyOf(running.get())) {
            throw new IllegalStateException(
                    "This key (scope %s, digest %s) is being run by this very thread: a key nested in itself can never"
                                    .formatted(operation.scope(), names.ref().digest())
                            + " finish; use another key for the inner call");
        }
        // In shadow mode nobody waits, because everybody runs.
        return patientClaims.claim(
                names,
                operation.scope(),
                fingerprint,
                operation.terms(),
                operation.shadow() ? Duration.ZERO : operation.patience());
    }

    private Begun begun(ClaimOutcome claimed) {
        return claimed instanceof ClaimOutcome.Granted granted
                ? new Begun(claimed, Run.started(granted.claim(), claims, events, timer, callbacks))
                : new Begun(claimed, null);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> proceed(
            Operation<T> operation, ClaimRef ref, Begun begun, AsyncWork<T> work) {
        Run run = begun.run();
        if (operation.shadow()) {
            return run == null ? runInShadow(operation, ref, work) : execute(operation, run, work);
        }
        if (run == null) {
            return CompletableFuture.completedFuture(Replay.of(operation, begun.outcome()));
        }
        return run.claim().origin() == Claim.Origin.RECONCILE
                ? reconcile(operation, run, work)
                : executeWithinCap(operation, run, work);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> executeWithinCap(
            Operation<T> operation, Run run, AsyncWork<T> work) {
        return operation.attemptCap().isPresent()
                        && run.attempt() > operation.attemptCap().getAsInt()
                ? giveUp(run)
                : execute(operation, run, work);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> execute(
            Operation<T> operation, Run run, AsyncWork<T> work) {
        return started(run.claim().ref(), run, work)
                .handle((value, failure) ->
                        failure == null ? succeeded(operation, run, value) : failed(operation, run, unwrapped(failure)))
                .thenCompose(Function.identity());
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> succeeded(
            Operation<T> operation, Run run, T value) {
        // Before the settlement: a renewal after it would be refused and look like a loss.
        run.stop();
        StoredResult result = Settlements.encoded(operation.codec()::encode, value);
        return settlements
                .settle(run.claim(), Status.SUCCEEDED, result, null)
                .thenApply(answer -> or(answer, value, null, new Outcome.Succeeded<>(value, false)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> failed(
            Operation<T> operation, Run run, Throwable failure) {
        run.stop();
        Claim claim = run.claim();
        FailureClass failureClass = classOf(operation, claim, failure);
        String reason = Settlements.reason("threw " + failure.getClass().getName());
        StoredResult stored =
                failureClass == FailureClass.FINAL ? Settlements.encoded(operation::encodeFailure, failure) : null;
        return settlements.settle(claim, statusOf(failureClass), stored, reason).thenApply(answer -> {
            if (failure instanceof Error error) {
                throw error;
            }
            return or(
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

    /** The outcome if the settlement was confirmed; otherwise it ran, but that is not written down. */
    private static <T extends @Nullable Object> Outcome<T> or(
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
            Operation<T> operation, Run run, AsyncWork<T> work) {
        ProbeAnswer<T> answer;
        try {
            answer = ask(operation, run);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            run.stop();
            return settlements.letLapse(run.claim()).thenApply(given -> {
                if (e instanceof Error error) {
                    throw error;
                }
                return new Outcome.Retryable<>(e);
            });
        }
        if (answer instanceof ProbeAnswer.Done<T> done) {
            return succeeded(operation, run, done.value())
                    .thenApply(outcome -> outcome instanceof Outcome.Succeeded<T> found
                            ? new Outcome.Succeeded<>(found.value(), true)
                            : outcome);
        }
        if (answer instanceof ProbeAnswer.Unknown<T> unknown) {
            run.stop();
            String reason = Settlements.reason(unknown.reason());
            return settlements
                    .settle(run.claim(), Status.UNKNOWN, null, reason)
                    .thenApply(parked -> new Outcome.Unknown<>(reason));
        }
        return executeWithinCap(operation, run, work);
    }

    private <T extends @Nullable Object> ProbeAnswer<T> ask(Operation<T> operation, Run run) throws Exception {
        Probe<T> probe = operation.probe();
        if (probe == null) {
            return ProbeAnswer.unknown("its owner let the lease end, and this operation has no probe");
        }
        enter(run.claim().ref());
        try {
            return Objects.requireNonNull(probe.ask(run), "A probe must answer");
        } finally {
            leave(run.claim().ref());
        }
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> giveUp(Run run) {
        run.stop();
        String reason = "given up after %d attempts".formatted(run.attempt() - 1);
        return settlements
                .settle(run.claim(), Status.FAILED, null, reason)
                .thenApply(answer -> or(answer, null, null, new Outcome.Failed<>(null, null, true)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> runInShadow(
            Operation<T> operation, ClaimRef ref, AsyncWork<T> work) {
        events.fire(Kind.SHADOW_DUPLICATE, ref, operation.scope(), 0, null);
        return started(ref, new ShadowContext(RecordId.random()), work).handle((value, failure) -> {
            if (failure == null) {
                return new Outcome.Succeeded<>(value, false);
            }
            Throwable cause = unwrapped(failure);
            if (cause instanceof Error error) {
                throw error;
            }
            return new Outcome.Retryable<>(cause);
        });
    }

    /** Calls the user's work; whatever it throws, and however, ends up in the future. */
    private <T extends @Nullable Object> CompletableFuture<T> started(
            ClaimRef ref, RunContext context, AsyncWork<T> work) {
        enter(ref);
        try {
            return work.start(context).toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            leave(ref);
        }
    }

    private void enter(ClaimRef ref) {
        running.get().add(ref);
    }

    private void leave(ClaimRef ref) {
        Set<ClaimRef> runningHere = running.get();
        runningHere.remove(ref);
        if (runningHere.isEmpty()) {
            running.remove();
        }
    }

    private static <T extends @Nullable Object> AsyncWork<T> inline(Work<T> work) {
        return context -> {
            try {
                return CompletableFuture.completedFuture(work.run(context));
            } catch (InterruptedException e) {
                // The outcome says that it failed; the flag says to whoever owns the thread that it shall stop.
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(e);
            }
        };
    }

    private static FailureClass classOf(Operation<?> operation, Claim claim, Throwable failure) {
        FailureClass failureClass = FailureClass.RETRYABLE;
        try {
            failureClass = Objects.requireNonNull(operation.classify(failure), "A classifier must answer");
        } catch (RuntimeException | Error e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
        boolean lastAttempt = operation.attemptCap().isPresent()
                && claim.attempt() >= operation.attemptCap().getAsInt();
        return failureClass == FailureClass.RETRYABLE && lastAttempt ? FailureClass.FINAL : failureClass;
    }

    private static Status statusOf(FailureClass failureClass) {
        return switch (failureClass) {
            case RETRYABLE -> Status.RETRYABLE;
            case FINAL -> Status.FAILED;
            case UNKNOWN -> Status.UNKNOWN;
        };
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** What came of the claim, and its run if it was granted. */
    private record Begun(ClaimOutcome outcome, @Nullable Run run) {
        void stop() {
            if (run != null) {
                run.stop();
            }
        }
    }
}
