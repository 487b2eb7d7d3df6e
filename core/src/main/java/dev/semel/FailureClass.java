// SPDX-License-Identifier: Apache-2.0
package dev.semel;

/** What an exception thrown by the work means for the next caller. */
public enum FailureClass {
    /** It may be run again: the next caller does. */
    RETRYABLE,
    /** It will never work: the failure is stored and replayed. */
    FINAL,
    /** The effect may or may not have happened (a time-out at a bank, say): parked until a person decides. */
    UNKNOWN
}
