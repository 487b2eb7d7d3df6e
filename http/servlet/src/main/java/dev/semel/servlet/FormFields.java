// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the fields of a form from a body. */
final class FormFields {
    /** The maximum number of fields. A form with more fields is rejected. */
    static final int MAX = 10_000;

    private FormFields() {}

    /** Reads application/x-www-form-urlencoded. A field that cannot be decoded is skipped, as containers do. */
    static Map<String, List<String>> of(byte[] body, Charset charset) {
        String[] pairs = new String(body, StandardCharsets.ISO_8859_1).split("&", MAX + 2);
        checkCount(pairs.length);
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            String value = equals < 0 ? "" : pair.substring(equals + 1);
            if (!pair.isEmpty()) {
                try {
                    add(fields, decoded(name, charset), decoded(value, charset));
                } catch (IllegalArgumentException e) {
                    // Skipped.
                }
            }
        }
        return fields;
    }

    /** Reads multipart/form-data: all parts except files. */
    static Map<String, List<String>> of(List<Part> parts, Charset charset) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (Part part : parts) {
            if (part.getSubmittedFileName() == null) {
                try (InputStream in = part.getInputStream()) {
                    add(fields, part.getName(), new String(in.readAllBytes(), charset));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        return fields;
    }

    static void checkCount(int count) {
        if (count > MAX) {
            throw new IllegalStateException("A form may have at most %d fields, but this one has more".formatted(MAX));
        }
    }

    private static void add(Map<String, List<String>> fields, String name, String value) {
        fields.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    /** Bytes above ASCII that are not percent-encoded are decoded with the same charset. */
    private static String decoded(String text, Charset charset) {
        byte[] raw = text.getBytes(StandardCharsets.ISO_8859_1);
        return URLDecoder.decode(new String(raw, charset), charset);
    }
}
