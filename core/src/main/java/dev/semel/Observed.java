// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.CallObserver.Current;
import dev.semel.CallObserver.Observation;
import dev.semel.CallObserver.Step;
import dev.semel.ClaimEvent.Kind;
import dev.semel.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that an observer sees, or {@link #NOTHING}. Every method returns what it was given, and a future stays the same
 * future if nothing is observed. An exception of the observer is logged and changes nothing.
 */
final class Observed {
    private static final Logger LOG = LoggerFactory.getLogger(Semel.class);
    private static final Current NOT_ENTERED = () -> {};

    /** A step that nobody observes. */
    static final Observed NOTHING = new Observed(null);

    private final @Nullable Observation observation;

    private Observed(@Nullable Observation observation) {
        this.observation = observation;
    }

    static Observed begun(Supplier<Observation> begin) {
        try {
            return new Observed(begin.get());
        } catch (RuntimeException | LinkageError e) {
            warn(e);
            return NOTHING;
        }
    }

    Observed begin(Step step) {
        Observation parent = observation;
        return parent == null ? NOTHING : begun(() -> parent.begin(step));
    }

    Current enter() {
        if (observation == null) {
            return NOT_ENTERED;
        }
        try {
            Current entered = observation.enter();
            return () -> {
                try {
                    entered.close();
                } catch (RuntimeException | LinkageError e) {
                    warn(e);
                }
            };
        } catch (RuntimeException | LinkageError e) {
            warn(e);
            return NOT_ENTERED;
        }
    }

    void end(@Nullable Kind outcome, int attempt, @Nullable Throwable failure) {
        if (observation != null) {
            try {
                observation.end(outcome, attempt, failure == null ? null : Futures.unwrapped(failure));
            } catch (RuntimeException | LinkageError e) {
                warn(e);
            }
        }
    }

    /** Makes a whole call, which ends when it returns. */
    <T extends @Nullable Object> Outcome<T> during(Supplier<Outcome<T>> call) {
        if (observation == null) {
            return call.get();
        }
        try {
            Outcome<T> outcome = call.get();
            end(outcome);
            return outcome;
        } catch (RuntimeException | Error e) {
            end(null, 0, e);
            throw e;
        }
    }

    /** Makes a whole call, which ends when its future completes. */
    <T extends @Nullable Object> CompletableFuture<Outcome<T>> untilComplete(
            Supplier<CompletableFuture<Outcome<T>>> call) {
        if (observation == null) {
            return call.get();
        }
        try {
            return call.get().whenComplete((outcome, failure) -> {
                if (failure == null) {
                    end(outcome);
                } else {
                    end(null, 0, failure);
                }
            });
        } catch (RuntimeException | Error e) {
            end(null, 0, e);
            throw e;
        }
    }

    CompletableFuture<ClaimOutcome> claimed(CompletableFuture<ClaimOutcome> claim) {
        return observation == null
                ? claim
                : claim.whenComplete((outcome, failure) -> {
                    if (failure != null) {
                        end(null, 0, failure);
                    } else if (outcome instanceof ClaimOutcome.Granted granted) {
                        end(Events.kindOf(outcome), granted.claim().attempt(), null);
                    } else {
                        end(
                                Events.kindOf(outcome),
                                0,
                                outcome instanceof ClaimOutcome.Unavailable unavailable ? unavailable.cause() : null);
                    }
                });
    }

    /** As {@link #claimed}, for many claims in one request. They have an outcome together if it is the same for all. */
    CompletableFuture<List<ClaimOutcome>> allClaimed(CompletableFuture<List<ClaimOutcome>> claims) {
        return observation == null
                ? claims
                : claims.whenComplete((outcomes, failure) -> {
                    List<Kind> kinds = failure == null
                            ? outcomes.stream().map(Events::kindOf).distinct().toList()
                            : List.of();
                    end(kinds.size() == 1 ? kinds.get(0) : null, 0, failure);
                });
    }

    <T extends @Nullable Object> CompletableFuture<T> ran(int attempt, CompletableFuture<T> work) {
        return observation == null ? work : work.whenComplete((value, failure) -> ran(attempt, failure));
    }

    void ran(int attempt, @Nullable Throwable failure) {
        end(failure == null ? Kind.SUCCEEDED : Kind.FAILED, attempt, failure);
    }

    /** The same work as a step of this call, for work that runs outside of the engine. */
    <T extends @Nullable Object> Work<T> running(Work<T> work) {
        return observation == null
                ? work
                : context -> {
                    Observed run = begin(Step.RUN);
                    Current current = run.enter();
                    try {
                        T value = work.run(context);
                        run.ran(context.attempt(), (Throwable) null);
                        return value;
                    } catch (Throwable e) {
                        run.ran(context.attempt(), e);
                        throw e;
                    } finally {
                        current.close();
                    }
                };
    }

    private void end(Outcome<?> outcome) {
        end(kindOf(outcome), 0, failureOf(outcome));
    }

    private static Kind kindOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Succeeded<?> succeeded) {
            return succeeded.replayed() ? Kind.REPLAYED : Kind.SUCCEEDED;
        }
        if (outcome instanceof Outcome.Rejected<?> rejected) {
            return rejected.replayed() ? Kind.REJECTION_REPLAYED : Kind.REJECTED;
        }
        if (outcome instanceof Outcome.Tombstone) {
            return Kind.REPLAYED;
        }
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.replayed() ? Kind.FAILURE_REPLAYED : Kind.FAILED;
        }
        if (outcome instanceof Outcome.Retryable) {
            return Kind.FAILED_RETRYABLY;
        }
        if (outcome instanceof Outcome.InProgress) {
            return Kind.IN_PROGRESS;
        }
        if (outcome instanceof Outcome.Mismatch) {
            return Kind.MISMATCH;
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return unknown.cause() == null ? Kind.UNKNOWN : Kind.PARKED;
        }
        if (outcome instanceof Outcome.Unsettled<?> unsettled) {
            return unsettled.lost() ? Kind.OWNERSHIP_LOST : Kind.SETTLEMENT_FAILED;
        }
        return Kind.UNAVAILABLE;
    }

    private static @Nullable Throwable failureOf(Outcome<?> outcome) {
        if (outcome instanceof Outcome.Failed<?> failed) {
            return failed.cause();
        }
        if (outcome instanceof Outcome.Retryable<?> retryable) {
            return retryable.cause();
        }
        if (outcome instanceof Outcome.Unknown<?> unknown) {
            return unknown.cause();
        }
        if (outcome instanceof Outcome.Unsettled<?> unsettled) {
            return unsettled.failure();
        }
        return outcome instanceof Outcome.Unavailable<?> unavailable ? unavailable.cause() : null;
    }

    static void warn(Throwable e) {
        LOG.warn("Call observer threw {}; calls are not affected", e.getClass().getName(), e);
    }
}
