// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Function;

/** The active secrets of a sender. During a rotation there are two, and a signature may be by either. */
public final class SigningKeys {
    private final List<byte[]> keys;

    private SigningKeys(List<byte[]> keys) {
        this.keys = keys;
    }

    /** Uses the UTF-8 bytes of each secret as the key. */
    public static SigningKeys utf8(List<String> secrets) {
        return of(secrets, secret -> secret.getBytes(StandardCharsets.UTF_8));
    }

    public static SigningKeys of(List<String> secrets, Function<String, byte[]> decode) {
        List<byte[]> keys = secrets.stream().map(decode).toList();
        if (keys.stream().anyMatch(key -> key.length == 0)) {
            throw new IllegalArgumentException(
                    "A webhook's secret must not be empty: set the secret that the sender shows");
        }
        return new SigningKeys(keys);
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Whether one of the secrets gives this signature. All secrets are tried, and compared in constant time. */
    public boolean verify(Hmac hmac, byte[] signature, byte[]... parts) {
        boolean found = false;
        for (byte[] key : keys) {
            found |= MessageDigest.isEqual(hmac.of(key, parts), signature);
        }
        return found;
    }

    @Override
    public String toString() {
        return keys.size() + " signing keys";
    }
}
