// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.work;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** The results of runs: random bytes that only one run can have returned. */
final class Content {
    private static final int SHOWN = 8;

    private Content() {}

    static byte[] of(long run, int bytes) {
        byte[] content = new byte[bytes];
        new SplittableRandom(run).nextBytes(content);
        return content;
    }

    /** The first digits of the hash. */
    static String hash(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(hash, 0, SHOWN);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
