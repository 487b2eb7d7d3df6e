// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.security.SecureRandom;
import java.util.HexFormat;

/** 128 random bits that make their holder the owner of a claim. Fresh at every acquisition, never reused, a secret. */
public final class OwnerToken extends FixedBytes {
    /** How many bytes a token has. */
    public static final int LENGTH = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    public OwnerToken(byte[] bytes) {
        super("An owner token", bytes, LENGTH);
    }

    /** A token that nobody has had before. */
    public static OwnerToken random() {
        byte[] bytes = new byte[LENGTH];
        RANDOM.nextBytes(bytes);
        return new OwnerToken(bytes);
    }

    /** Reads what {@link #hex()} wrote. */
    public static OwnerToken ofHex(String hex) {
        return new OwnerToken(HexFormat.of().parseHex(hex));
    }

    /** Says nothing: whoever knows a token can settle its claim, so it must not reach a log. */
    @Override
    public String toString() {
        return "OwnerToken[hidden]";
    }
}
