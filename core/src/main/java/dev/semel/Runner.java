// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.CallObserver.Step;
import dev.semel.claim.Fingerprint;
import dev.semel.internal.Futures;
import dev.semel.lane.Alarms;
import dev.semel.lane.Environment;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Claims, then runs the work on the caller's thread or on the callback executor. {@link Execution} runs and settles it. */
final class Runner {
    private final Environment environment;
    private final OwnerCommands owners;
    private final CoalescingClaims claims;
    private final Settlements settlements;
    private final Events events;
    private final Alarms alarms;
    private final Executor callbacks;
    private final boolean callersRun;
    private final Observing observing;
    private final NestingGuard guard = new NestingGuard();
    private final Execution execution;

    /** @param callersRun whether calling threads make their own calls to the store */
    Runner(
            Environment environment,
            OwnerCommands owners,
            CoalescingClaims claims,
            CachedOutcomes cache,
            Settlements settlements,
            Events events,
            Alarms alarms,
            Executor callbacks,
            boolean callersRun,
            Observing observing) {
        this.environment = environment;
        this.owners = owners;
        this.claims = claims;
        this.settlements = settlements;
        this.events = events;
        this.alarms = alarms;
        this.callbacks = callbacks;
        this.callersRun = callersRun;
        this.observing = observing;
        this.execution = new Execution(environment, settlements, cache, events, guard);
    }

    /** Runs the work on the calling thread, which also makes its own calls to the store where it can. */
    <T extends @Nullable Object> Outcome<T> run(
            Operation<T> operation, ClaimDigests digests, Fingerprint fingerprint, Work<T> work, Observed observed) {
        try {
            return startedOnCaller(
                            operation,
                            callOnCaller(operation, digests, fingerprint, observed),
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
     * Claims on the calling thread and starts the work on it, but does not wait for the end of the work or its settlement. If
     * these end later, the future completes on the callback executor, never on a thread that the store needs.
     */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> runOnCaller(
            Operation<T> operation,
            ClaimDigests digests,
            Fingerprint fingerprint,
            AsyncWork<T> work,
            Observed observed) {
        Executor inContext = observing.keepingContext(callbacks);
        ClaimCall call = callOnCaller(operation, digests, fingerprint, observed);
        CompletableFuture<Outcome<T>> outcome = startedOnCaller(operation, call, work);
        call.callerReturned();
        return outcome.isDone() ? outcome : outcome.thenApplyAsync(Function.identity(), inContext);
    }

    /** Starts the work on the callback executor. Cancelling the returned future cancels nothing: the work goes on. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> runAsync(
            Operation<T> operation,
            ClaimDigests digests,
            Fingerprint fingerprint,
            AsyncWork<T> work,
            Observed observed) {
        Executor inContext = observing.keepingContext(callbacks);
        ClaimCall call = ClaimCall.toRun(environment, operation, digests, fingerprint, null, observed);
        return claim(call)
                // Renewed from the grant on: the executor may take longer to start the work than the lease lasts.
                .thenCompose(claimed -> {
                    CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
                    proceedOnCallbacks(operation, call, begun(operation, call, claimed), work, outcome, Run::mayStart);
                    return outcome;
                })
                .thenApplyAsync(Function.identity(), inContext);
    }

    private ClaimCall callOnCaller(
            Operation<?> operation, ClaimDigests digests, Fingerprint fingerprint, Observed observed) {
        return ClaimCall.toRun(
                environment, operation, digests, fingerprint, callersRun ? Thread.currentThread() : null, observed);
    }

    private CompletableFuture<ClaimOutcome> claim(ClaimCall call) {
        // Most threads run nothing, and then no set is made.
        if (!guard.isIdle()) {
            guard.requireNotRunning(call.scope(), call.digests().refs());
        }
        return call.observed().begin(Step.CLAIM).claimed(claims.claim(call));
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> startedOnCaller(
            Operation<T> operation, ClaimCall call, AsyncWork<T> work) {
        CompletableFuture<ClaimOutcome> claimed = claim(call);
        if (!operation.shadow() && interrupted(claimed)) {
            return CompletableFuture.completedFuture(abandoned(operation, call, claimed));
        }
        Begun begun = startable(call, begun(operation, call, claimed.join())).join();
        return proceed(operation, call, begun, keepingInterrupts(work));
    }

    /** Waits for the claim. True, with the thread's interrupt flag still set, if it was interrupted first. */
    private static boolean interrupted(CompletableFuture<ClaimOutcome> claimed) {
        try {
            claimed.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } catch (ExecutionException e) {
            // join() throws the failure to the caller.
        }
        return false;
    }

    /** The caller no longer waits. A claim that is granted from now on is given back, and nothing runs. */
    private <T extends @Nullable Object> Outcome<T> abandoned(
            Operation<T> operation, ClaimCall call, CompletableFuture<ClaimOutcome> claimed) {
        call.abandoned().complete(null);
        claimed.thenAccept(late -> {
            if (late instanceof ClaimOutcome.Granted granted) {
                giveBack(call, granted.claim());
            }
        });
        return claimed.isDone() && !(claimed.join() instanceof ClaimOutcome.Granted)
                ? Replay.of(operation, claimed.join())
                : new Outcome.Unavailable<>("the caller was interrupted while it waited; nothing ran", null);
    }

    private void giveBack(ClaimCall call, Claim claim) {
        settlements.giveBack(claim, call.observed().begin(Step.SETTLE));
        claims.ended(call, Optional.empty());
    }

    private static <T extends @Nullable Object> AsyncWork<T> keepingInterrupts(AsyncWork<T> work) {
        return context -> {
            try {
                return work.start(context);
            } catch (InterruptedException e) {
                // The outcome says that the work failed. The flag asks the owner of the thread to stop.
                Thread.currentThread().interrupt();
                return CompletableFuture.failedFuture(e);
            }
        };
    }

    /** @param mayStart whether the rest of the lease is enough; after a renewal any rest is, because no renewal adds more */
    private <T extends @Nullable Object> void proceedOnCallbacks(
            Operation<T> operation,
            ClaimCall call,
            Begun begun,
            AsyncWork<T> work,
            CompletableFuture<Outcome<T>> outcome,
            Predicate<Run> mayStart) {
        try {
            callbacks.execute(() -> {
                if (begun.run() == null || mayStart.test(begun.run())) {
                    proceed(operation, call, begun, work).whenComplete((ended, failure) -> {
                        if (failure == null) {
                            outcome.complete(ended);
                        } else {
                            outcome.completeExceptionally(Futures.unwrapped(failure));
                        }
                    });
                } else {
                    // The executor started so late that the lease is nearly over.
                    startable(call, begun)
                            .thenAccept(
                                    ready -> proceedOnCallbacks(operation, call, ready, work, outcome, Run::ownsLease));
                }
            });
        } catch (RejectedExecutionException e) {
            Run run = begun.run();
            if (run != null) {
                run.stop();
                giveBack(call, run.claim());
            }
            outcome.completeExceptionally(e);
        }
    }

    /** The same run with enough of its lease left to start, or an answer instead of a run whose claim may be lost. */
    private CompletableFuture<Begun> startable(ClaimCall call, Begun begun) {
        Run run = begun.run();
        if (run == null || run.mayStart()) {
            return CompletableFuture.completedFuture(begun);
        }
        return run.renew().thenApply(renewed -> {
            if (run.ownsLease()) {
                return begun;
            }
            run.stop();
            giveBack(call, run.claim());
            return new Begun(new ClaimOutcome.Unavailable(Acquisition.LAPSED, null), null);
        });
    }

    private Begun begun(Operation<?> operation, ClaimCall call, ClaimOutcome claimed) {
        if (claimed instanceof ClaimOutcome.Granted granted) {
            Run run =
                    Run.started(environment, granted.claim(), operation.rejecting(), owners, events, alarms, callbacks);
            claims.runs(call, run);
            return new Begun(claimed, run);
        }
        return new Begun(claimed, null);
    }

    private <T extends @Nullable Object> CompletableFuture<Outcome<T>> proceed(
            Operation<T> operation, ClaimCall call, Begun begun, AsyncWork<T> work) {
        Run run = begun.run();
        if (run == null) {
            return operation.shadow()
                    ? execution.inShadow(operation, call, begun.outcome(), work)
                    : CompletableFuture.completedFuture(Replay.of(operation, begun.outcome()));
        }
        return execution
                .of(operation, call, run, work)
                .whenComplete((ended, failure) -> claims.ended(call, run.answer()));
    }

    /** The outcome of the claim, and its run if it was granted. */
    private record Begun(ClaimOutcome outcome, @Nullable Run run) {}
}
