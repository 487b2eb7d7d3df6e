// SPDX-License-Identifier: Apache-2.0
package dev.semel.internal;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 with one key. Thread-safe. */
public final class HmacSha256 {
    private static final String ALGORITHM = "HmacSHA256";

    /** A template: each use works on a copy. */
    private final Mac keyed;

    public HmacSha256(byte[] key) {
        try {
            this.keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is not available, although every JDK must provide it", e);
        }
    }

    /** The HMAC of the concatenated parts. */
    public byte[] of(byte[]... parts) {
        try {
            Mac mac = (Mac) keyed.clone();
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(
                    "A security provider's HmacSHA256 cannot be cloned: put the JDK's provider before it", e);
        }
    }
}
