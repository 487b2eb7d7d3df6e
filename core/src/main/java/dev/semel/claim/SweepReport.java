// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

/**
 * What a sweep did.
 *
 * @param deleted settled rows whose time was over
 * @param released abandoned rows that became RETRYABLE
 * @param parked abandoned rows that became UNKNOWN
 * @param more whether a limit was reached, so that another sweep would find something
 */
public record SweepReport(int deleted, int released, int parked, boolean more) {
    /** The reason that a sweep leaves on a row that it moved. */
    public static final String ABANDONED = "abandoned: its lease ended a TTL ago";

    /** A sweep that found nothing. */
    public static final SweepReport NOTHING = new SweepReport(0, 0, 0, false);

    /** This sweep followed by another. */
    public SweepReport plus(SweepReport next) {
        return new SweepReport(deleted + next.deleted, released + next.released, parked + next.parked, next.more);
    }

    public int total() {
        return deleted + released + parked;
    }
}
