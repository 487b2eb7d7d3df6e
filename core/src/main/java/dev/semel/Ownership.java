// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The answer to every settlement and renewal: was it still mine? */
public sealed interface Ownership {
    /**
     * It was, and what was asked is done.
     *
     * @param leaseLeft what was left of the lease when the store did it; count it from when you asked
     */
    record Confirmed(Duration leaseLeft) implements Ownership {}

    /** It was not: the claim has another owner, or was settled differently, or is gone. Nothing was changed. */
    record Lost(String why) implements Ownership {}

    /** The store did not answer in time, or would not take it: it is not known. */
    record Unavailable(String reason, @Nullable Throwable cause) implements Ownership {}
}
