// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

/** What an {@link Idempotent} method does if its caller has an open transaction. */
public enum TransactionMode {
    /**
     * The call is refused with a message that states the fix. If the caller's transaction rolled back later, the claim would
     * say "done" without the effect.
     */
    REFUSE,
    /**
     * Claim, effect and result are part of the caller's transaction and are committed or rolled back with it. Without an open
     * transaction, one is begun and committed.
     */
    JOIN,
    /** The claim is settled by itself. For effects outside the caller's database. */
    OUTSIDE
}
