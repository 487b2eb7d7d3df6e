// SPDX-License-Identifier: Apache-2.0
package dev.semel.key;

import dev.semel.internal.HmacSha256;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * HKDF with SHA-256 (RFC 5869) for one block of output, which is enough for a 32-byte subkey. The JDK has HKDF only since
 * version 25.
 */
final class Hkdf {
    private static final byte[] SALT = "dev.semel/v1".getBytes(StandardCharsets.US_ASCII);

    private final HmacSha256 byPseudoRandomKey;

    Hkdf(byte[] inputKeyingMaterial) {
        this(SALT, inputKeyingMaterial);
    }

    Hkdf(byte[] salt, byte[] inputKeyingMaterial) {
        this.byPseudoRandomKey = new HmacSha256(hmac(salt, inputKeyingMaterial));
    }

    /** The subkey for this purpose. Every part is length-prefixed, so different lists of parts give different subkeys. */
    byte[] derive(String... parts) {
        ByteArrayOutputStream info = new ByteArrayOutputStream();
        for (String part : parts) {
            info.writeBytes(prefixed(part));
        }
        return expand(info.toByteArray());
    }

    byte[] expand(byte[] info) {
        byte[] block =
                ByteBuffer.allocate(info.length + 1).put(info).put((byte) 1).array();
        return byPseudoRandomKey.of(block);
    }

    static byte[] hmac(byte[] key, byte[]... parts) {
        return new HmacSha256(key).of(parts);
    }

    static byte[] prefixed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .putInt(bytes.length)
                .put(bytes)
                .array();
    }
}
