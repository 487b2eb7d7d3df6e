// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.Part;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads multipart/form-data (RFC 7578) from a body in memory. */
final class Multipart {
    private static final byte[] LINE = {'\r', '\n'};
    private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};

    private Multipart() {}

    /** @throws IllegalStateException if the body is malformed */
    static List<Part> parts(String contentType, byte[] body, ServletContext context) {
        String boundary =
                parameter(contentType, "boundary").orElseThrow(() -> broken("its content type has no boundary"));
        byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        List<Part> parts = new ArrayList<>();
        int at = indexOf(body, delimiter, 0);
        while (at >= 0) {
            at += delimiter.length;
            if (startsWith(body, at, "--")) {
                return parts;
            }
            int head = indexOf(body, LINE, at);
            int next = indexOf(body, delimiter, at);
            if (head < 0 || next < head || !startsWith(body, next - LINE.length, "\r\n")) {
                break;
            }
            FormFields.checkCount(parts.size() + 1);
            parts.add(part(Arrays.copyOfRange(body, head, next - LINE.length), context));
            at = next;
        }
        throw broken("its closing boundary is missing");
    }

    /** @param bytes from the line break before the headers to the end of the content */
    private static Part part(byte[] bytes, ServletContext context) {
        int end = indexOf(bytes, END_OF_HEAD, 0);
        if (end < 0) {
            throw broken("a part has no headers");
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String line : new String(bytes, 0, end, StandardCharsets.UTF_8).split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
        }
        String disposition = String.join(";", headers.getOrDefault("content-disposition", List.of()));
        String name = parameter(disposition, "name").orElseThrow(() -> broken("a part has no name"));
        return new MemoryPart(
                name,
                parameter(disposition, "filename").orElse(null),
                headers,
                Arrays.copyOfRange(bytes, end + END_OF_HEAD.length, bytes.length),
                context);
    }

    /** A parameter of a header's value, such as {@code form-data; name="a;b"}. */
    static Optional<String> parameter(String value, String wanted) {
        int at = value.indexOf(';');
        while (at >= 0 && at < value.length()) {
            int equals = value.indexOf('=', at);
            if (equals < 0) {
                return Optional.empty();
            }
            String name = value.substring(at + 1, equals).strip();
            StringBuilder text = new StringBuilder();
            at = read(value, equals + 1, text);
            if (name.equalsIgnoreCase(wanted)) {
                return Optional.of(text.toString());
            }
        }
        return Optional.empty();
    }

    /** Reads a token or a quoted string, and returns the index of the next parameter. */
    private static int read(String value, int from, StringBuilder text) {
        if (from >= value.length() || value.charAt(from) != '"') {
            int end = value.indexOf(';', from);
            text.append(value.substring(from, end < 0 ? value.length() : end).strip());
            return end;
        }
        int at = from + 1;
        while (at < value.length() && value.charAt(at) != '"') {
            // Browsers do not escape a backslash in a file name. They escape only quotes.
            if (value.charAt(at) == '\\' && at + 1 < value.length() && value.charAt(at + 1) == '"') {
                at++;
            }
            text.append(value.charAt(at));
            at++;
        }
        return value.indexOf(';', at);
    }

    private static boolean startsWith(byte[] bytes, int at, String text) {
        byte[] wanted = text.getBytes(StandardCharsets.ISO_8859_1);
        return at >= 0
                && at + wanted.length <= bytes.length
                && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length);
    }

    private static int indexOf(byte[] bytes, byte[] wanted, int from) {
        for (int i = from; i <= bytes.length - wanted.length; i++) {
            if (bytes[i] == wanted[0] && Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }

    private static IllegalStateException broken(String why) {
        return new IllegalStateException("The multipart/form-data body is malformed: " + why);
    }
}
