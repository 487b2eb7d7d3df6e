// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 response, as far as a load generator needs it.
 *
 * @param body not copied, because it is read only once
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record HttpReply(int status, byte[] body) {
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final int MAX_SHOWN = 300;

    /** The response at the start of these bytes, or null while it is incomplete. */
    static @Nullable HttpReply parse(byte[] bytes, int size) {
        int head = endOfHead(bytes, size);
        if (head < 0) {
            return null;
        }
        String text = new String(bytes, 0, head, StandardCharsets.ISO_8859_1);
        if (!text.startsWith("HTTP/1.1 ")) {
            throw new IllegalStateException("Not an HTTP/1.1 response: " + shown(text));
        }
        int status = Integer.parseInt(text.substring(STATUS_AT, STATUS_AT + 3));
        String length = header(text, "content-length");
        if (length != null) {
            int end = head + Integer.parseInt(length);
            return size < end ? null : new HttpReply(status, Arrays.copyOfRange(bytes, head, end));
        }
        if ("chunked".equals(header(text, "transfer-encoding"))) {
            byte[] body = chunked(bytes, head, size);
            return body == null ? null : new HttpReply(status, body);
        }
        throw new IllegalStateException("A response without a length: " + shown(text));
    }

    private static int endOfHead(byte[] bytes, int size) {
        for (int i = 3; i < size; i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    private static @Nullable String header(String head, String name) {
        for (int line = head.indexOf('\n') + 1; line > 0; line = head.indexOf('\n', line) + 1) {
            if (head.regionMatches(true, line, name, 0, name.length()) && head.charAt(line + name.length()) == ':') {
                return head.substring(line + name.length() + 1, head.indexOf('\r', line))
                        .strip()
                        .toLowerCase(Locale.ROOT);
            }
        }
        return null;
    }

    /** The joined chunks, or null while the last one is missing. No server here sends trailers. */
    private static byte @Nullable [] chunked(byte[] bytes, int from, int size) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int at = from;
        while (true) {
            int lineEnd = at;
            while (lineEnd < size && bytes[lineEnd] != '\n') {
                lineEnd++;
            }
            if (lineEnd >= size) {
                return null;
            }
            String length = new String(bytes, at, lineEnd - 1 - at, StandardCharsets.ISO_8859_1);
            int start = lineEnd + 1;
            int end = start + Integer.parseInt(length, 16);
            if (end + 2 > size) {
                return null;
            }
            if (end == start) {
                return body.toByteArray();
            }
            body.write(bytes, start, end - start);
            at = end + 2;
        }
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The text of a JSON member that occurs once in the body and contains no escapes. */
    String member(String name) {
        String text = text();
        String before = "\"" + name + "\":\"";
        int start = text.indexOf(before);
        if (start < 0) {
            throw new IllegalStateException("No " + name + " in " + shown(text));
        }
        return text.substring(start + before.length(), text.indexOf('"', start + before.length()));
    }

    /** Returns this response if it has the expected status, and throws otherwise. */
    HttpReply require(int expected) {
        if (status != expected) {
            throw new IllegalStateException("Expected %d, but got %d: %s".formatted(expected, status, shown(text())));
        }
        return this;
    }

    private static String shown(String text) {
        return text.substring(0, Math.min(text.length(), MAX_SHOWN));
    }
}
