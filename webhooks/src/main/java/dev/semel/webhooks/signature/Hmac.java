// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The HMAC algorithms of senders. SHA-1 is included because Twilio still uses it. */
public enum Hmac {
    SHA1("HmacSHA1"),
    SHA256("HmacSHA256"),
    SHA512("HmacSHA512");

    private final String algorithm;

    Hmac(String algorithm) {
        this.algorithm = algorithm;
    }

    /** The HMAC of these parts, concatenated. */
    public byte[] of(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + algorithm, e);
        }
    }
}
