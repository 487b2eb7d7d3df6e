// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

/** What may happen to a claim whose owner let its lease end. The one stored with the claim decides, by name. */
public enum StalePolicy {
    /** The next caller takes it over and runs the work again. */
    RERUN,
    /** The next caller takes it over and finds out what happened before anything runs. */
    RECONCILE,
    /** Nobody takes it over: its outcome is unknown until a person says what happened. */
    PARK
}
