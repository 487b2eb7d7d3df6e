// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

/**
 * The report of a sweep.
 *
 * @param deleted expired rows that were deleted
 * @param released abandoned rows that became RETRYABLE
 * @param parked abandoned rows that became UNKNOWN
 * @param more whether the limit was reached, so that another sweep would find more
 */
public record SweepReport(int deleted, int released, int parked, boolean more) {
    /** The reason that a sweep stores with an abandoned row. */
    public static final String ABANDONED = "abandoned: its lease ended a TTL ago";

    /** The report of a sweep that found nothing. */
    public static final SweepReport NOTHING = new SweepReport(0, 0, 0, false);

    /** The sum of this report and another one. */
    public SweepReport plus(SweepReport next) {
        return new SweepReport(deleted + next.deleted, released + next.released, parked + next.parked, next.more);
    }

    public int total() {
        return deleted + released + parked;
    }
}
