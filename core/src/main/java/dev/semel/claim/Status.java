// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

/** The states of a claim; {@link dev.semel.spi.ClaimStore} draws how they follow each other. Stored by name. */
public enum Status {
    /** Somebody owns it and, as far as the store knows, works on it. */
    IN_PROGRESS,
    /** Done; the result is replayed until it expires. */
    SUCCEEDED,
    /** Failed for good; the failure is replayed until it expires. */
    FAILED,
    /** Failed, and the next caller may run it again. */
    RETRYABLE,
    /** Nobody knows whether the effect happened; a person or a reconciler decides. Never expires. */
    UNKNOWN;

    /** Whether the owner's token can still settle it. */
    public boolean isOpen() {
        return this == IN_PROGRESS || this == UNKNOWN;
    }
}
