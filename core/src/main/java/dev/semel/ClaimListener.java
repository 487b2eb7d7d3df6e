// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.SweepReport;

/** Receives the events of an engine. It is called on the engine's threads and must not block. Exceptions are logged. */
public interface ClaimListener {
    void onClaim(ClaimEvent event);

    /** A sweep has ended. */
    default void onSweep(SweepReport report) {}

    /** A call of the store has ended. Called before its callers get their answers. */
    default void onStoreCall(StoreCall call) {}
}
