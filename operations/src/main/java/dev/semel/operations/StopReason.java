// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

/** The stop reasons that this package gives by itself; work gives others by a {@link StopException}. */
public final class StopReason {
    /** The work threw something without a stop reason. */
    public static final String OPERATION_FAILED = "operation_failed";
    /** Nobody knows whether it happened; a person decides. */
    public static final String OUTCOME_UNKNOWN = "outcome_unknown";
    /** The store did not answer, or had too much to do. Nothing ran. */
    public static final String STORE_UNAVAILABLE = "store_unavailable";
    /** Somebody used the same key, with a fingerprint, for something else. Nothing ran. */
    public static final String KEY_MISMATCH = "key_mismatch";

    private StopReason() {}
}
