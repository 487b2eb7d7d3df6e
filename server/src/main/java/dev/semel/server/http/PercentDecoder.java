// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Decodes percent-escapes strictly. Broken escapes and invalid UTF-8 yield empty. */
final class PercentDecoder {
    private PercentDecoder() {}

    /** Decodes a path segment, where a plus sign is literal. */
    static Optional<String> path(String raw) {
        return decoded(raw, '+');
    }

    /** Decodes a name or a value in a query, where a plus sign is a space. */
    static Optional<String> query(String raw) {
        return decoded(raw, ' ');
    }

    private static Optional<String> decoded(String raw, char plus) {
        if (isPlain(raw)) {
            return Optional.of(raw);
        }
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
                int low = high < 0 ? -1 : Character.digit(raw.charAt(i + 2), 16);
                if (low < 0) {
                    return Optional.empty();
                }
                bytes[length++] = (byte) (high << 4 | low);
                i += 2;
            } else if (c > 0xff) {
                return Optional.empty();
            } else {
                // Netty delivers each byte as one char. Bytes beyond ASCII are decoded as UTF-8.
                bytes[length++] = (byte) (c == '+' ? plus : c);
            }
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%' || c == '+' || c > 0x7e) {
                return false;
            }
        }
        return true;
    }
}
