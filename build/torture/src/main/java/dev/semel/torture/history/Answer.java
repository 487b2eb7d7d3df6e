// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

/** What a caller is told. */
public enum Answer {
    SUCCEEDED,
    REJECTED,
    FAILED,
    TOMBSTONE,
    /** The attempt cap ended it. */
    GIVEN_UP,
    RETRYABLE,
    IN_PROGRESS,
    MISMATCH,
    UNKNOWN,
    UNAVAILABLE,
    /** It ran, but the store did not confirm its outcome in time. */
    UNSETTLED,
    /** It ran, but another owner has the claim. */
    LOST,
    GRANTED;

    /** Whether every later caller must be told the same. */
    public boolean isPermanent() {
        return this == SUCCEEDED || this == REJECTED || this == FAILED || this == TOMBSTONE || this == GIVEN_UP;
    }
}
