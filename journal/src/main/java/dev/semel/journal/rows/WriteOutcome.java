// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;

/**
 * The outcome of writing one row.
 *
 * @param <S> what the database holds for a row's key
 */
public sealed interface WriteOutcome<S> {
    /** Whether the database refused this row, which says nothing about other rows of the same key. */
    default boolean isRejected() {
        return this instanceof Failed<S> failed && failed.cause().kind() == Kind.REJECTED;
    }

    /** What the database holds for the row's key: this row or an earlier one. */
    record Stored<S>(S value) implements WriteOutcome<S> {}

    /** The row is not known to be committed. */
    record Failed<S>(StoreException cause) implements WriteOutcome<S> {}
}
