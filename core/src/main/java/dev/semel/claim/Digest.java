// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.util.HexFormat;

/** The 256-bit identifier of a claim, made by {@link dev.semel.key.KeyDigests} from tenant, scope and key. */
public final class Digest extends FixedBytes implements Comparable<Digest> {
    /** The number of bytes. */
    public static final int LENGTH = 32;

    public Digest(byte[] bytes) {
        super("A digest", bytes, LENGTH);
    }

    /** Parses {@link #hex()}. */
    public static Digest ofHex(String hex) {
        return new Digest(HexFormat.of().parseHex(hex));
    }

    @Override
    public int compareTo(Digest other) {
        return compareBytes(other);
    }

    /** The first 16 hexadecimal digits: enough to find a claim, and safe in a log. */
    @Override
    public String toString() {
        return hex().substring(0, 16);
    }
}
