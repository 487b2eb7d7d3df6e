// SPDX-License-Identifier: Apache-2.0
package dev.semel.claim;

import java.security.SecureRandom;
import java.util.HexFormat;

/** 128 random bits that make their holder the owner of a claim. Fresh for every acquisition, never reused, and secret. */
public final class OwnerToken extends FixedBytes {
    /** The number of bytes. */
    public static final int LENGTH = 16;

    private static final SecureRandom RANDOM = new SecureRandom();

    public OwnerToken(byte[] bytes) {
        super("An owner token", bytes, LENGTH);
    }

    /** A fresh token. */
    public static OwnerToken random() {
        byte[] bytes = new byte[LENGTH];
        RANDOM.nextBytes(bytes);
        return new OwnerToken(bytes);
    }

    /** Parses {@link #hex()}. */
    public static OwnerToken ofHex(String hex) {
        return new OwnerToken(HexFormat.of().parseHex(hex));
    }

    /** Omits the bytes: a token can settle its claim, so it must not reach a log. */
    @Override
    public String toString() {
        return "OwnerToken[hidden]";
    }
}
