// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * How bytes are written in a header. Strict: a text stands for bytes only if it is the one text that these bytes are
 * written as, so that no two headers mean the same signature.
 */
public enum Encoding {
    /** Lower-case hexadecimal. */
    HEX {
        @Override
        byte[] lenient(String text) {
            return HexFormat.of().parseHex(text);
        }

        @Override
        public String encode(byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
    },
    /** Base64 of RFC 4648, section 4, padded. */
    BASE64 {
        @Override
        byte[] lenient(String text) {
            return Base64.getDecoder().decode(text);
        }

        @Override
        public String encode(byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    };

    abstract byte[] lenient(String text);

    public abstract String encode(byte[] bytes);

    /** The bytes, or nothing if this is not how they are written. */
    public Optional<byte[]> decode(String text) {
        try {
            byte[] bytes = lenient(text);
            return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
