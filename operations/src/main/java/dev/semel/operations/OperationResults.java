// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import dev.semel.Outcome;
import dev.semel.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** Converts outcomes of the engine to results of operations, and those to outcomes of steps and payments. */
final class OperationResults {
    /** The type of a stored result that is a final stop. */
    static final String STOP_TYPE = "semel/stop";

    private OperationResults() {}

    static <T> OperationResult<T> of(Outcome<T> outcome) {
        if (outcome instanceof Outcome.Succeeded<T> succeeded) {
            return new OperationResult.Succeeded<>(succeeded.value(), succeeded.replayed(), null);
        }
        if (outcome instanceof Outcome.Tombstone<T> tombstone) {
            return new OperationResult.Succeeded<>(null, true, tombstone.why());
        }
        if (outcome instanceof Outcome.InProgress<T> running) {
            return new OperationResult.InProgress<>(running.retryAfter());
        }
        if (outcome instanceof Outcome.Unsettled<T> unsettled) {
            return unsettled(unsettled);
        }
        return failed(outcome);
    }

    /** The work ran, so its caller gets the result. A note says that the result could not be stored. */
    private static <T> OperationResult<T> unsettled(Outcome.Unsettled<T> unsettled) {
        Throwable failure = unsettled.failure();
        if (failure != null) {
            return failed(failure, true);
        }
        return new OperationResult.Succeeded<>(
                unsettled.value(), false, "the work ran, but its result could not be stored: " + unsettled.reason());
    }

    private static <T> OperationResult<T> failed(Outcome<T> outcome) {
        if (outcome instanceof Outcome.Retryable<T> retryable) {
            return failed(retryable.cause(), true);
        }
        if (outcome instanceof Outcome.Failed<T> failed) {
            return new OperationResult.Failed<>(storedReason(failed.stored()), false, failed.cause());
        }
        if (outcome instanceof Outcome.Rejected<T> rejected) {
            return new OperationResult.Failed<>(rejected.rejection().code(), false, null);
        }
        if (outcome instanceof Outcome.Unknown<T> unknown) {
            return new OperationResult.Failed<>(
                    reasonOf(unknown.cause(), StopReason.OUTCOME_UNKNOWN), false, unknown.cause());
        }
        if (outcome instanceof Outcome.Unavailable<T> unavailable) {
            return unavailable(unavailable.cause());
        }
        return new OperationResult.Failed<>(StopReason.KEY_MISMATCH, false, null);
    }

    static <T> OperationResult<T> unavailable(@Nullable Throwable cause) {
        return new OperationResult.Failed<>(StopReason.STORE_UNAVAILABLE, true, cause);
    }

    private static <T> OperationResult<T> failed(Throwable cause, boolean retryable) {
        return new OperationResult.Failed<>(reasonOf(cause, StopReason.OPERATION_FAILED), retryable, cause);
    }

    private static String reasonOf(@Nullable Throwable cause, String otherwise) {
        return cause instanceof StopException stop ? stop.stopReason() : otherwise;
    }

    private static String storedReason(@Nullable StoredResult stored) {
        return stored != null && stored.type().equals(STOP_TYPE) ? stored.text() : StopReason.OPERATION_FAILED;
    }

    static <T> StepOutcome<T> ofStep(OperationResult<T> result) {
        if (result instanceof OperationResult.Succeeded<T> succeeded) {
            return new StepOutcome.Done<>(succeeded.data(), succeeded.cached(), succeeded.note());
        }
        if (result instanceof OperationResult.InProgress<T> running) {
            return new StepOutcome.Locked<>(running.retryAfter());
        }
        OperationResult.Failed<T> failed = (OperationResult.Failed<T>) result;
        return new StepOutcome.Failed<>(failed.stopReason(), failed.retryable(), failed.cause());
    }

    static <T> PaymentOutcome<T> ofPayment(OperationResult<T> result) {
        if (result instanceof OperationResult.Succeeded<T> succeeded) {
            return succeeded.cached()
                    ? new PaymentOutcome.Duplicate<>(succeeded.data(), succeeded.note())
                    : new PaymentOutcome.Processed<>(succeeded.data(), succeeded.note());
        }
        if (result instanceof OperationResult.InProgress<T> running) {
            return new PaymentOutcome.InProgress<>(running.retryAfter());
        }
        OperationResult.Failed<T> failed = (OperationResult.Failed<T>) result;
        return new PaymentOutcome.Failed<>(failed.stopReason(), failed.retryable(), failed.cause());
    }
}
