// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.trigger;

/**
 * What became of one delivery.
 *
 * @param detail what the target said, or why there was no answer; empty if all is well
 */
record DeliveryResult(Kind kind, String detail) {
    /** The kinds that are counted. */
    enum Kind {
        PROCESSED,
        ALREADY_PROCESSED,
        /** Answered with 4xx: the sender is wrong. */
        REFUSED,
        /** Not answered, or with 5xx: the sender would try again. */
        FAILED,
        /** Answered with another status, or in words that are not Semel's. */
        UNRECOGNIZED
    }
}
