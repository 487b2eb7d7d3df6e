// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The answer to every settlement and renewal: whether the token still owns the claim. */
public sealed interface Ownership {
    /**
     * The token owned the claim, and the command has taken effect.
     *
     * @param leaseLeft the rest of the lease when the store applied the command; count it from before the call
     */
    record Confirmed(Duration leaseLeft) implements Ownership {}

    /** The claim has another owner, was settled differently, or is gone. Nothing was changed. */
    record Lost(String why) implements Ownership {}

    /** The store did not answer in time, or rejected the command. It is unknown whether it has taken effect. */
    record Unavailable(String reason, @Nullable Throwable cause) implements Ownership {}
}
