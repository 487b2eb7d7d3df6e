// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import dev.semel.claim.Digest;
import java.util.UUID;

/**
 * Ids of inbox events: UUIDs of version 8 that begin with the digest of the event's claim, so that the primary key also finds
 * events by the beginning of that digest. No further index has to be written.
 *
 * <pre>
 *   dddddddd-dddd-8ddd-vrrr-rrrrrrrrrrrr     d: 15 digits of the digest   v: variant   r: random
 * </pre>
 *
 * <p>Each id has 62 random bits, because an event can be recorded again after its claim has expired.
 */
public final class InboxIds {
    /** How many digits of the digest are in an id. */
    private static final int DIGITS = 15;

    private static final int BEFORE_VERSION = 12;
    private static final String VERSION = "8";
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long RANDOM_BITS = 0x3fff_ffff_ffff_ffffL;

    private InboxIds() {}

    /** A new id. */
    public static UUID next(Digest claim) {
        // The lower half of a random UUID has the same variant.
        return new UUID(high(claim.hex()), UUID.randomUUID().getLeastSignificantBits());
    }

    /** The lowest id of an event whose claim's digest has this value or a higher one. */
    public static UUID lowest(Digest claim) {
        return new UUID(high(claim.hex()), VARIANT);
    }

    /** The highest id of an event whose claim's digest has this value or a lower one. */
    public static UUID highest(Digest claim) {
        return new UUID(high(claim.hex()), VARIANT | RANDOM_BITS);
    }

    private static long high(String digest) {
        return Long.parseUnsignedLong(
                digest.substring(0, BEFORE_VERSION) + VERSION + digest.substring(BEFORE_VERSION, DIGITS), 16);
    }
}
