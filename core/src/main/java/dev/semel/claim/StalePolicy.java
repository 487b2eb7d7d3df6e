// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

/** What may happen to a claim whose lease has ended. Stored with the claim, by name; the stored policy decides. */
public enum StalePolicy {
    /** The next caller takes the claim over and runs the work again. */
    RERUN,
    /** The next caller takes the claim over and finds out what happened before anything runs. */
    RECONCILE,
    /** No caller takes the claim over. Its outcome is unknown until a person decides. */
    PARK
}
