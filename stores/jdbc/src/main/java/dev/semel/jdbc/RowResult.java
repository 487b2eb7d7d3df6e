// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import dev.semel.spi.Snapshot;
import org.jspecify.annotations.Nullable;

/** The result of one row in a group's transaction. It is final once the transaction is committed. */
sealed interface RowResult {
    /** The claim is new, and the row was written. */
    record Written() implements RowResult {}

    /** The claim is new and settled, but the row was not written, because its second claim was already settled. */
    record SecondTaken() implements RowResult {}

    /** Nothing was written. The second claim has to be taken over, which needs a separate transaction. */
    record NeedsOwnTransaction() implements RowResult {}

    /**
     * Nothing was written, because another caller has the claim.
     *
     * @param claim the committed claim; null if it is still in progress or could not be read
     */
    record Existing(@Nullable Snapshot claim) implements RowResult {}
}
