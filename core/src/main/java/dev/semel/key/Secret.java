// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The secret behind all digests, and the id that is stored with them. The id is derived from the secret, so that no two
 * secrets share one by mistake, and does not reveal it.
 */
public final class Secret {
    /** The minimum size of a secret, in bytes. */
    public static final int MIN_BYTES = 32;

    private final Hkdf hkdf;
    private final String id;

    private Secret(byte[] bytes) {
        this.hkdf = new Hkdf(bytes);
        this.id = HexFormat.of().formatHex(hkdf.derive("secret-id"), 0, 8);
    }

    /** A secret from at least 32 raw bytes. */
    public static Secret of(byte[] bytes) {
        Objects.requireNonNull(bytes, "A secret must not be null: set one of at least 32 random bytes");
        if (bytes.length < MIN_BYTES) {
            throw new IllegalArgumentException(
                    "A secret must have at least %d bytes, but has %d: make one with `openssl rand -hex 32`"
                            .formatted(MIN_BYTES, bytes.length));
        }
        return new Secret(bytes);
    }

    /** A secret from text that has at least 32 bytes in UTF-8. */
    public static Secret of(String text) {
        Objects.requireNonNull(text, "A secret must not be null: set one of at least 32 random bytes");
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The id that is stored with every digest that this secret made. */
    public String id() {
        return id;
    }

    /** A separate 32-byte key for every purpose and tenant. */
    public byte[] subkey(String purpose, String tenant) {
        return hkdf.derive(purpose, tenant);
    }

    @Override
    public String toString() {
        return "Secret[id=" + id + "]";
    }
}
