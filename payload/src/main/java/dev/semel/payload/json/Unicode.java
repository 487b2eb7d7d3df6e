// SPDX-License-Identifier: Apache-2.0
package dev.semel.payload.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Checks for valid Unicode. Encoding invalid text yields question marks, which would make different documents equal. */
final class Unicode {
    private static final int CHUNK = 8_192;

    private Unicode() {}

    static void check(String name, String text) {
        Objects.requireNonNull(text, () -> name + " must not be null");
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!startsPair(text, i)) {
                    throw new IllegalArgumentException(
                            "%s must be valid Unicode, but has a lone surrogate at index %d".formatted(name, i));
                }
                i++;
            }
        }
    }

    private static boolean startsPair(String text, int index) {
        return Character.isHighSurrogate(text.charAt(index))
                && index + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(index + 1));
    }

    /** The offset of the first byte that is not valid UTF-8, or -1 if all bytes are valid. */
    static int firstMalformed(byte[] bytes) {
        int ascii = 0;
        while (ascii < bytes.length && bytes[ascii] >= 0) {
            ascii++;
        }
        return ascii == bytes.length ? -1 : firstMalformed(bytes, ascii);
    }

    private static int firstMalformed(byte[] bytes, int from) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, from, bytes.length - from);
        CharBuffer out = CharBuffer.allocate(Math.min(CHUNK, bytes.length - from));
        CoderResult result;
        do {
            out.clear();
            result = decoder.decode(in, out, true);
        } while (result.isOverflow());
        return result.isError() ? in.position() : -1;
    }
}
