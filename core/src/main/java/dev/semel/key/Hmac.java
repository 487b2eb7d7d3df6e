// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 by one key, for many threads. */
final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    /** Never updated itself: every use begins with a copy of it. */
    private final Mac keyed;

    Hmac(byte[] key) {
        try {
            this.keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }

    byte[] of(byte[]... parts) {
        try {
            Mac mac = (Mac) keyed.clone();
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The JDK's HmacSHA256 can be copied; a provider before it cannot", e);
        }
    }
}
