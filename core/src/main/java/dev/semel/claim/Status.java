// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

/** The states of a claim, stored by name. {@link dev.semel.spi.ClaimStore} draws the transitions. */
public enum Status {
    /** The claim has an owner, which runs the work as far as the store knows. */
    IN_PROGRESS,
    /** The work is done. The result is replayed until it expires. */
    SUCCEEDED,
    /** The work failed permanently. The failure is replayed until it expires. */
    FAILED,
    /** The work failed, and the next caller may run it again. */
    RETRYABLE,
    /** It is unknown whether the effect happened. A person or a reconciler decides. Never expires. */
    UNKNOWN;

    /** Whether the owner's token can still settle the claim. */
    public boolean isOpen() {
        return this == IN_PROGRESS || this == UNKNOWN;
    }
}
