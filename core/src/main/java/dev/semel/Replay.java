// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoredResult;
import org.jspecify.annotations.Nullable;

/** Turns the outcome of a claim into the outcome for a caller whose work did not run. */
final class Replay {
    private Replay() {}

    static <T extends @Nullable Object> Outcome<T> of(Operation<T> operation, ClaimOutcome claimed) {
        if (claimed instanceof ClaimOutcome.Succeeded succeeded) {
            return decoded(operation, succeeded.result());
        }
        if (claimed instanceof ClaimOutcome.Failed failed) {
            return failed(operation, failed.result());
        }
        if (claimed instanceof ClaimOutcome.InProgress running) {
            return new Outcome.InProgress<>(running.leaseLeft());
        }
        if (claimed instanceof ClaimOutcome.Mismatch mismatch) {
            return new Outcome.Mismatch<>(mismatch.earlier());
        }
        if (claimed instanceof ClaimOutcome.Unknown unknown) {
            return new Outcome.Unknown<>(unknown.reason());
        }
        if (claimed instanceof ClaimOutcome.Unavailable unavailable) {
            return new Outcome.Unavailable<>(unavailable.reason(), unavailable.cause());
        }
        throw new IllegalArgumentException("A granted claim cannot be replayed: run its work");
    }

    private static <T extends @Nullable Object> Outcome<T> failed(
            Operation<T> operation, @Nullable StoredResult stored) {
        return stored != null && Rejection.isIn(stored)
                ? new Outcome.Rejected<>(Rejection.read(stored, operation.details()), true)
                : new Outcome.Failed<>(stored, null, true);
    }

    /** A result that cannot be decoded is no reason to run the work again, because it was done. */
    private static <T extends @Nullable Object> Outcome<T> decoded(
            Operation<T> operation, @Nullable StoredResult stored) {
        if (stored == null) {
            return new Outcome.Tombstone<>("it was settled without a result");
        }
        if (stored.isOmitted()) {
            throw new IllegalArgumentException("An omitted result cannot be replayed: read its claim alone first");
        }
        if (stored.isTombstone()) {
            return new Outcome.Tombstone<>(stored.text());
        }
        try {
            return new Outcome.Succeeded<>(operation.decode(stored), true);
        } catch (Exception e) {
            return new Outcome.Tombstone<>(
                    "the stored result could not be decoded: " + e.getClass().getName());
        }
    }
}
