// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

/** The stop reasons of this package. Work can give others with a {@link StopException}. */
public final class StopReason {
    /** The work threw an exception without a stop reason. */
    public static final String OPERATION_FAILED = "operation_failed";
    /** The outcome is unknown until an operator decides. */
    public static final String OUTCOME_UNKNOWN = "outcome_unknown";
    /** The store is unavailable or overloaded. Nothing ran. */
    public static final String STORE_UNAVAILABLE = "store_unavailable";
    /** The same key was used with a fingerprint for another operation. Nothing ran. */
    public static final String KEY_MISMATCH = "key_mismatch";

    private StopReason() {}
}
