// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads percent-escapes strictly: a broken escape, or bytes that are not UTF-8, have no value. */
final class PercentDecoder {
    private PercentDecoder() {}

    /** A part of a path, where a plus is a plus. */
    static Optional<String> path(String raw) {
        return decoded(raw, '+');
    }

    /** A name or a value of a query, where a plus is a blank. */
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
                // The line of a request arrives byte by byte; what it means beyond ASCII is UTF-8 here.
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
