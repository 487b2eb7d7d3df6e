// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/** What a duplicate is told while the first is being processed. */
public enum InFlight {
    /** It waits for the first's outcome, and is told that. */
    WAIT,
    /** That it was processed, at once: should the first fail, its sender does not send it again. */
    ACKNOWLEDGE
}
