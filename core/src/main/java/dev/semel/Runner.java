// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.ClaimEvent.Kind;
import dev.semel.claim.ClaimRef;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
import dev.semel.replay.EpochGuardedCache;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Claim, run, settle, answer: one asynchronous path for blocking and asynchronous callers alike. */
final class Runner {
    private final ClaimProtocol claims;
    private final CoalescingClaims patientClaims;
    private final Replays replays;
    private final Settlements settlements;
    private final Events events;
    private final ScheduledExecutorService timer;
    private final Executor callbacks;
    private final boolean callersRun;

    /** What the current thread is in the middle of; a key inside itself would wait for itself. An engine's own. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Set<ClaimRef>> running = new ThreadLocal<>();

    Runner(
            ClaimProtocol claims,
            CoalescingClaims patientClaims,
            Replays replays,
            Settlements settlements,
            Events events,
            ScheduledExecutorService timer,
            Executor callbacks,
            boolean callersRun) {
        this.claims = claims;
        this.patientClaims = patientClaims;
        this.replays = replays;
        this.settlements = settlements;
        this.events = events;
        this.timer = timer;
        this.callbacks = callbacks;
        this.callersRun = callersRun;
    }

    /** Runs the work on the calling thread, which also makes its own calls to the store where it can. */
    <T extends @Nullable Object> Outcome<T> run(
            Operation<T> operation, ClaimDigests names, Fingerprint fingerprint, Work<T> work) {
        try {
            return startedOnCaller(
                            called(operation, names, fingerprint),
                            context -> CompletableFuture.completedFuture(work.run(context)))
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /**
     * Claims on the calling thread and starts the work on it, but waits for neither the work's end nor its settlement. What
     * is not done when this returns completes on the callback executor, never on a thread that the store needs.
     */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> runOnCaller(
            Operation<T> operation, ClaimDigests names, Fingerprint fingerprint, AsyncWork<T> work) {
        Call<T> call = called(operation, names, fingerprint);
        CompletableFuture<Outcome<T>> outcome = startedOnCaller(call, work);
        // From now on the thread serves others, also if it happens to be the one that ends the work.
        call.waiting().set(null);
        return outcome.isDone() ? outcome : outcome.thenApplyAsync(Function.identity(), callbacks);
    }

    private <T extends @Nullable Object> Call<T> called(
            Operation<T> operation, ClaimDigests names, Fingerprint fingerprint) {
        return new Call<>(operation, names, fingerprint, callersRun ? Thread.currentThread() : null);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> startedOnCaller(
            Call<T> call, AsyncWork<T> work) {
        CompletableFuture<ClaimOutcome> claimed = claimed(call);
        if (!call.operation().shadow() && interrupted(claimed)) {
            return CompletableFuture.completedFuture(abandoned(call, claimed));
        }
        Begun begun = startable(call, begun(call, claimed.join())).join();
        return proceed(call, begun, keepingInterrupts(work));
    }

    /** Waits for the claim; true, with the thread's flag still set, if an interrupt came first. */
    private static boolean interrupted(CompletableFuture<ClaimOutcome> claimed) {
        try {
            claimed.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (ExecutionException e) {
            // The caller of join() gets the failure.
        }
        return false;
    }

    /** The caller waits no longer. What is granted to it from now on is given back, and nothing runs. */
    private <T extends @Nullable Object> Outcome<T> abandoned(Call<T> call, CompletableFuture<ClaimOutcome> claimed) {
        call.abandoned().complete(null);
        claimed.thenAccept(late -> {
            if (late instanceof ClaimOutcome.Granted granted) {
                settlements.giveBack(granted.claim());
                patientClaims.ended(call.names(), call.fingerprint(), Optional.empty());
            }
        });
        return claimed.isDone() && !(claimed.join() instanceof ClaimOutcome.Granted)
                ? Replay.of(call.operation(), claimed.join())
                : new Outcome.Unavailable<>("the caller was interrupted while it waited; nothing ran", null);
    }

    /** Starts the work on the callback executor. Cancelling the returned future cancels nothing: the work goes on. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> runAsync(
            Operation<T> operation, ClaimDigests names, Fingerprint fingerprint, AsyncWork<T> work) {
        Call<T> call = new Call<>(operation, names, fingerprint, null);
        return claimed(call)
                // Renewed from the grant on: the executor may take longer to begin than the lease lasts.
                .thenCompose(claimed -> {
                    CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
                    onCallbacks(call, begun(call, claimed), work, outcome, Run::mayStart);
                    return outcome;
                })
                .thenApplyAsync(Function.identity(), callbacks);
    }

    /** @param mayStart whether the lease will do: after a renewal whatever is left, because another would find no more */
    private <T extends @Nullable Object> void onCallbacks(
            Call<T> call,
            Begun begun,
            AsyncWork<T> work,
            CompletableFuture<Outcome<T>> outcome,
            Predicate<Run> mayStart) {
        try {
            callbacks.execute(() -> {
                if (begun.run() == null || mayStart.test(begun.run())) {
                    proceed(call, begun, work).whenComplete((ended, failure) -> {
                        if (failure == null) {
                            outcome.complete(ended);
                        } else {
                            outcome.completeExceptionally(Futures.unwrapped(failure));
                        }
                    });
                } else {
                    // The executor began so late that the lease is nearly over.
                    startable(call, begun).thenAccept(ready -> onCallbacks(call, ready, work, outcome, Run::alive));
                }
            });
        } catch (RejectedExecutionException e) {
            Run run = begun.run();
            if (run != null) {
                run.stop();
                settlements.giveBack(run.claim());
                patientClaims.ended(call.names(), call.fingerprint(), Optional.empty());
            }
            outcome.completeExceptionally(e);
        }
    }

    /** The same, with enough of its lease to start; or what to answer in place of a run that may be another's by now. */
    private CompletableFuture<Begun> startable(Call<?> call, Begun begun) {
        Run run = begun.run();
        if (run == null || run.mayStart()) {
            return CompletableFuture.completedFuture(begun);
        }
        return run.renew().thenApply(renewed -> {
            if (run.alive()) {
                return begun;
            }
            run.stop();
            settlements.giveBack(run.claim());
            patientClaims.ended(call.names(), call.fingerprint(), Optional.empty());
            return new Begun(new ClaimOutcome.Unavailable(ClaimProtocol.LAPSED, null), null);
        });
    }

    private CompletableFuture<ClaimOutcome> claimed(Call<?> call) {
        Operation<?> operation = call.operation();
        Set<ClaimRef> runningHere = running.get();
        if (runningHere != null && call.names().anyOf(runningHere)) {
            throw new IllegalStateException(
                    "This key (scope %s, digest %s) is being run by this very thread: a key nested in itself can never"
                                    .formatted(operation.scope(), call.ref().digest())
                            + " finish; use another key for the inner call");
        }
        return operation.shadow()
                ? patientClaims.claimAlone(
                        call.names(), operation.scope(), call.fingerprint(), operation.terms(), call.caller())
                : patientClaims.claimToRun(
                        call.names(),
                        operation.scope(),
                        call.fingerprint(),
                        operation.terms(),
                        operation.patience(),
                        call.abandoned(),
                        call.caller());
    }

    private Begun begun(Call<?> call, ClaimOutcome claimed) {
        if (claimed instanceof ClaimOutcome.Granted granted) {
            Run run = Run.started(granted.claim(), claims, events, timer, callbacks);
            patientClaims.runs(call.names(), call.fingerprint(), run);
            return new Begun(claimed, run);
        }
        return new Begun(claimed, null);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> proceed(
            Call<T> call, Begun begun, AsyncWork<T> work) {
        Run run = begun.run();
        if (run == null) {
            return call.operation().shadow()
                    ? runInShadow(call, begun.outcome(), work)
                    : CompletableFuture.completedFuture(Replay.of(call.operation(), begun.outcome()));
        }
        CompletableFuture<Outcome<T>> outcome;
        if (call.operation().shadow()) {
            outcome = execute(call, run, work);
        } else {
            outcome = run.claim().origin() == Claim.Origin.RECONCILE
                    ? reconcile(call, run, work)
                    : executeWithinCap(call, run, work);
        }
        return outcome.whenComplete(
                (ended, failure) -> patientClaims.ended(call.names(), call.fingerprint(), run.answer()));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> executeWithinCap(
            Call<T> call, Run run, AsyncWork<T> work) {
        OptionalInt cap = call.operation().attemptCap();
        return cap.isPresent() && run.attempt() > cap.getAsInt() ? giveUp(call, run) : execute(call, run, work);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> execute(
            Call<T> call, Run run, AsyncWork<T> work) {
        return started(call, run, work)
                .handle((value, failure) ->
                        failure == null ? succeeded(call, run, value) : failed(call, run, Futures.unwrapped(failure)))
                .thenCompose(Function.identity());
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> succeeded(Call<T> call, Run run, T value) {
        // Before the settlement: a renewal after it would be refused and look like a loss.
        run.stop();
        StoredResult result = Settlements.encoded(call.operation().codec()::encode, value);
        return settle(call, run, Status.SUCCEEDED, result, null)
                .thenApply(answer -> or(answer, value, null, new Outcome.Succeeded<>(value, false)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> failed(
            Call<T> call, Run run, Throwable failure) {
        run.stop();
        Operation<T> operation = call.operation();
        FailureClass failureClass = Failures.classOf(operation, run.claim(), failure);
        String reason = Settlements.reason("threw " + failure.getClass().getName());
        StoredResult stored =
                failureClass == FailureClass.FINAL ? Settlements.encoded(operation::encodeFailure, failure) : null;
        return settle(call, run, Failures.statusOf(failureClass), stored, reason)
                .thenApply(answer -> {
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

    /** Settles; what is then stored for good is the answer for those who follow, and for the cache. */
    private CompletableFuture<Ownership> settle(
            Call<?> call, Run run, Status status, @Nullable StoredResult result, @Nullable String reason) {
        EpochGuardedCache.Epoch epoch = replays.epoch();
        long sent = System.nanoTime();
        return settlements
                .settle(run.claim(), status, result, reason, call.caller())
                .thenApply(answer -> {
                    if (answer instanceof Ownership.Confirmed
                            && (status == Status.SUCCEEDED || status == Status.FAILED)) {
                        run.answered(
                                status == Status.SUCCEEDED
                                        ? new ClaimOutcome.Succeeded(result)
                                        : new ClaimOutcome.Failed(result));
                        Duration ttl = run.claim().terms().ttl().orElse(null);
                        Duration left = ttl == null ? null : ttl.minusNanos(System.nanoTime() - sent);
                        // Under the record's own reference: after a conflict the key that asked has another record.
                        replays.keep(epoch, run.claim().ref(), call.fingerprint(), status, result, left);
                    }
                    return answer;
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
            Call<T> call, Run run, AsyncWork<T> work) {
        ProbeAnswer<T> answer;
        try {
            answer = ask(call, run);
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            run.stop();
            return settlements.giveBack(run.claim()).thenApply(given -> {
                if (e instanceof Error error) {
                    throw error;
                }
                return new Outcome.Retryable<>(e);
            });
        }
        if (answer instanceof ProbeAnswer.Done<T> done) {
            return succeeded(call, run, done.value())
                    .thenApply(outcome -> outcome instanceof Outcome.Succeeded<T> found
                            ? new Outcome.Succeeded<>(found.value(), true)
                            : outcome);
        }
        if (answer instanceof ProbeAnswer.Unknown<T> unknown) {
            run.stop();
            String reason = Settlements.reason(unknown.reason());
            return settle(call, run, Status.UNKNOWN, null, reason).thenApply(parked -> new Outcome.Unknown<>(reason));
        }
        return executeWithinCap(call, run, work);
    }

    private <T extends @Nullable Object> ProbeAnswer<T> ask(Call<T> call, Run run) throws Exception {
        Probe<T> probe = call.operation().probe();
        if (probe == null) {
            return ProbeAnswer.unknown("its owner let the lease end, and this operation has no probe");
        }
        Set<ClaimRef> entered = enter(call, run);
        try {
            return Objects.requireNonNull(probe.ask(run), "A probe must answer");
        } finally {
            leave(entered);
        }
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> giveUp(Call<T> call, Run run) {
        run.stop();
        String reason = "given up after %d attempts".formatted(run.attempt() - 1);
        return settle(call, run, Status.FAILED, null, reason)
                .thenApply(answer -> or(answer, null, null, new Outcome.Failed<>(null, null, true)));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> runInShadow(
            Call<T> call, ClaimOutcome instead, AsyncWork<T> work) {
        if (!(instead instanceof ClaimOutcome.Unavailable)) {
            events.fire(Kind.SHADOW_DUPLICATE, call.ref(), call.operation().scope(), 0, null);
        }
        return started(call, new ShadowContext(RecordId.random()), work).handle((value, failure) -> {
            if (failure == null) {
                return new Outcome.Succeeded<>(value, false);
            }
            Throwable cause = Futures.unwrapped(failure);
            if (cause instanceof Error error) {
                throw error;
            }
            return new Outcome.Retryable<>(cause);
        });
    }

    /** Calls the user's work; whatever it throws, and however, ends up in the future. */
    private <T extends @Nullable Object> CompletableFuture<T> started(
            Call<T> call, RunContext context, AsyncWork<T> work) {
        Set<ClaimRef> entered = enter(call, context);
        try {
            return work.start(context).toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        } finally {
            leave(entered);
        }
    }

    /** Under every name of the call and that of its record, because any of them would wait for it; says which are new. */
    private Set<ClaimRef> enter(Call<?> call, RunContext context) {
        Set<ClaimRef> runningHere = running.get();
        if (runningHere == null) {
            runningHere = new HashSet<>();
            running.set(runningHere);
        }
        Set<ClaimRef> entered = call.names().refs();
        if (context instanceof Run run) {
            entered.add(run.claim().ref());
        }
        entered.removeAll(runningHere);
        runningHere.addAll(entered);
        return entered;
    }

    private void leave(Set<ClaimRef> entered) {
        Set<ClaimRef> runningHere = running.get();
        if (runningHere != null) {
            runningHere.removeAll(entered);
            if (runningHere.isEmpty()) {
                running.remove();
            }
        }
    }

    private static <T extends @Nullable Object> AsyncWork<T> keepingInterrupts(AsyncWork<T> work) {
        return context -> {
            try {
                return work.start(context);
            } catch (InterruptedException e) {
                // The outcome says that it failed; the flag says to whoever owns the thread that it shall stop.
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(e);
            }
        };
    }

    /**
     * One call.
     *
     * @param abandoned complete once nobody waits for the claim any more
     * @param waiting the thread that only waits for its answer, as long as there is one
     */
    private record Call<T extends @Nullable Object>(
            Operation<T> operation,
            ClaimDigests names,
            Fingerprint fingerprint,
            CompletableFuture<@Nullable Void> abandoned,
            AtomicReference<@Nullable Thread> waiting) {
        Call(Operation<T> operation, ClaimDigests names, Fingerprint fingerprint, @Nullable Thread caller) {
            this(operation, names, fingerprint, new CompletableFuture<>(), new AtomicReference<>(caller));
        }

        @Nullable
        Thread caller() {
            return waiting.get();
        }

        ClaimRef ref() {
            return names.ref();
        }
    }

    /** What came of the claim, and its run if it was granted. */
    private record Begun(ClaimOutcome outcome, @Nullable Run run) {}
}
