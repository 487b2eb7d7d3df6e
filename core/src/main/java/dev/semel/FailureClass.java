// SPDX-License-Identifier: Apache-2.0
package dev.semel;

/** The consequence of an exception of the work for the next caller. */
public enum FailureClass {
    /** The next caller runs the work again. */
    RETRYABLE,
    /** The failure is permanent: it is stored and replayed. */
    FINAL,
    /** The effect may or may not have happened, as after a timeout at a bank. The claim is parked until a person decides. */
    UNKNOWN
}
