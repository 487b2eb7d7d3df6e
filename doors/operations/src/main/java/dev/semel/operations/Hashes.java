// SPDX-License-Identifier: Apache-2.0
package dev.semel.operations;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The two hashes of this package, in lower-case hexadecimal. */
final class Hashes {
    private static final String HMAC = "HmacSHA256";

    private Hashes() {}

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    static String hmacSha256(byte[] key, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return HexFormat.of().formatHex(mac.doFinal(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }
}
