// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 digests. */
public final class Sha256 {
    /** A template: a copy is cheaper than looking the algorithm up again. */
    private static final MessageDigest UNUSED = unused();

    private Sha256() {}

    /** The digest of the concatenated parts. */
    public static byte[] of(byte[]... parts) {
        MessageDigest digest = digest();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** The digest of the concatenated parts in lower-case hexadecimal. */
    public static String hex(byte[]... parts) {
        return HexFormat.of().formatHex(of(parts));
    }

    /** A fresh digest to update. */
    public static MessageDigest digest() {
        try {
            return (MessageDigest) UNUSED.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(
                    "A security provider's SHA-256 cannot be cloned: put the JDK's provider before it", e);
        }
    }

    private static MessageDigest unused() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available, although every JDK must provide it", e);
        }
    }
}
