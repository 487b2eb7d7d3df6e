// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.time.Duration;

/**
 * A call of the store, for metrics.
 *
 * @param size how many commands or reads it was for
 * @param waited how long the first of them waited in its lane; zero for calls outside the lanes
 * @param took how long the store took
 * @param answered false if the call failed
 */
public record StoreCall(Kind kind, int size, Duration waited, Duration took, boolean answered) {
    /** What the store was asked for. */
    public enum Kind {
        /** To change claims: acquire, renew, settle. */
        APPLY,
        /** To read claims. */
        READ,
        /** To delete expired claims. */
        SWEEP
    }
}
