// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.spi.HistoryEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an operator decides about a claim.
 *
 * @param status RETRYABLE, so that the next caller runs it again; FAILED; or SUCCEEDED
 * @param fence the fence of the claim as the operator saw it
 * @param result what callers receive; null for none
 */
public record OperatorDecision(
        Status status,
        long fence,
        String actor,
        String reason,
        @Nullable StoredResult result) {
    public OperatorDecision {
        Objects.requireNonNull(actor, "A decision needs an actor");
        Objects.requireNonNull(reason, "A decision needs a reason");
        if (status == Status.IN_PROGRESS || status == Status.UNKNOWN) {
            throw new IllegalArgumentException("A decision must release a claim, fail it or let it succeed");
        }
        if (status == Status.RETRYABLE && result != null) {
            throw new IllegalArgumentException("A released claim has no result");
        }
    }

    /** The next caller runs the work again. */
    public static OperatorDecision release(long fence, String actor, String reason) {
        return new OperatorDecision(Status.RETRYABLE, fence, actor, reason, null);
    }

    /** The work failed permanently. */
    public static OperatorDecision fail(long fence, String actor, String reason) {
        return new OperatorDecision(Status.FAILED, fence, actor, reason, null);
    }

    /** The work was done. */
    public static OperatorDecision succeed(long fence, String actor, String reason, @Nullable StoredResult result) {
        return new OperatorDecision(Status.SUCCEEDED, fence, actor, reason, result);
    }

    HistoryEntry.Kind kind() {
        return switch (status) {
            case SUCCEEDED -> HistoryEntry.Kind.DECIDED_SUCCEEDED;
            case FAILED -> HistoryEntry.Kind.DECIDED_FAILED;
            default -> HistoryEntry.Kind.RELEASED;
        };
    }
}
