// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.signature;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/**
 * An encoding of bytes in a header. Decoding is strict: only the one canonical text of some bytes is accepted, so that no two
 * headers have the same signature.
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
    /** Padded base64 of RFC 4648, section 4. */
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

    /** Decodes a text. Empty if it is not the canonical encoding of some bytes. */
    public Optional<byte[]> decode(String text) {
        try {
            byte[] bytes = lenient(text);
            return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
