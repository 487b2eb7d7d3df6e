// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

/**
 * What is known about the clock by which a store counts leases and expiry. Rules that say "not any more" allow for it; rules that
 * say "not yet" do not.
 *
 * @param fromSending whether a lease counts from when its command was sent, and not from when it took effect
 * @param ahead how much later than they should be times may be written at most, in nanoseconds
 * @param behind how long something may still count as lasting after it was over by the times written, in nanoseconds
 */
public record StoreClock(boolean fromSending, long ahead, long behind) {
    /** A clock of its own, by which everything is decided at the moment of the effect. */
    public static final StoreClock EXACT = new StoreClock(false, 0, 0);

    /** When a lease of this length is over at the latest. */
    long leaseOver(long sent, long effect, long lease) {
        return (fromSending ? sent : effect) + lease + ahead;
    }

    /** When an answer is no longer told that is kept for this long. */
    long forgotten(long effect, long keptFor) {
        return effect + keptFor + ahead + behind;
    }
}
