// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.function.Function;

/** The live secrets of one sender: while one is being replaced there are two, and either may have signed. */
public final class SigningKeys {
    private final List<byte[]> keys;

    private SigningKeys(List<byte[]> keys) {
        this.keys = keys;
    }

    /** The secrets' own characters are the key. */
    public static SigningKeys utf8(List<String> secrets) {
        return of(secrets, secret -> secret.getBytes(StandardCharsets.UTF_8));
    }

    public static SigningKeys of(List<String> secrets, Function<String, byte[]> decode) {
        List<byte[]> keys = secrets.stream().map(decode).toList();
        if (keys.stream().anyMatch(key -> key.length == 0)) {
            throw new IllegalArgumentException(
                    "A webhook's secret must not be empty: set the one that its sender shows");
        }
        return new SigningKeys(keys);
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Whether one of the secrets gives this signature. All are tried, in constant time, whichever it is. */
    public boolean sign(Hmac hmac, byte[] signature, byte[]... parts) {
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
