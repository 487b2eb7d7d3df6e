// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.AliasedKey;
import dev.semel.claim.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of the framework that the application uses. With them an engine notices that it is called inside an open
 * transaction, whose rollback would undo the effect of the work but not its settlement.
 *
 * @see SemelBuilder#callerTransactions
 */
public interface CallerTransactions {
    /** Whether the calling thread has an open transaction. */
    boolean isActive();

    /** Claims, runs and settles inside the caller's transaction, or in a new one that is then committed. */
    <T extends @Nullable Object> Outcome<T> execute(
            Operation<T> operation, AliasedKey key, Fingerprint fingerprint, Work<T> work);
}
