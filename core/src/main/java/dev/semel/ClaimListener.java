// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.SweepReport;

/** Told of what happens. Called on the engine's threads: be quick, and do not block. Exceptions are logged. */
public interface ClaimListener {
    void onClaim(ClaimEvent event);

    /** A sweep has ended. */
    default void onSweep(SweepReport report) {}
}
