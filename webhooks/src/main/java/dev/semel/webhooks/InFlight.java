// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

/** The answer to a duplicate while the first delivery is still being processed. */
public enum InFlight {
    /** The duplicate waits for the first delivery and gets its outcome. */
    WAIT,
    /** The duplicate is acknowledged at once. If the first delivery then fails, the sender does not retry. */
    ACK
}
