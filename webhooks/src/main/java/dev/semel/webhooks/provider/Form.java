// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.provider;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fields of a URL-encoded form, sorted by name. Only upper-case escapes are accepted, so that a signature over the decoded
 * form stands for one encoded text.
 */
record Form(Map<String, List<String>> fields) {
    private static final int MAX_FIELDS = 1_000;
    private static final String UPPER_CASE = "0123456789ABCDEF";
    private static final String EITHER_CASE = UPPER_CASE + "abcdef";

    /**
     * The body as a form. It is parsed only once for each request.
     *
     * @throws IllegalArgumentException if it is not a valid form with upper-case escapes
     */
    static Form of(WebhookRequest request) {
        return request.cached(Form.class, Form.class, () -> new Form(read(request.body(), UPPER_CASE)));
    }

    /** The fields of a text, with escapes in upper or lower case. */
    static Map<String, List<String>> lenient(byte[] text) {
        return read(text, EITHER_CASE);
    }

    @Override
    public String toString() {
        return "Form[" + fields.size() + " fields]";
    }

    private static Map<String, List<String>> read(byte[] body, String hex) {
        Map<String, List<String>> fields = new TreeMap<>();
        String text = new String(body, StandardCharsets.US_ASCII);
        if (text.isEmpty()) {
            return fields;
        }
        String[] pairs = text.split("&", MAX_FIELDS + 1);
        if (pairs.length > MAX_FIELDS) {
            throw new IllegalArgumentException("more than " + MAX_FIELDS + " fields");
        }
        for (String pair : pairs) {
            int at = pair.indexOf('=');
            if (at < 0) {
                throw new IllegalArgumentException("a field has no value");
            }
            fields.computeIfAbsent(decoded(pair.substring(0, at), hex), name -> new ArrayList<>())
                    .add(decoded(pair.substring(at + 1), hex));
        }
        return fields;
    }

    private static String decoded(String encoded, String hex) {
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                throw new IllegalArgumentException("a character must be escaped");
            }
            if (c == '%' && !(isOneOf(hex, encoded, i + 1) && isOneOf(hex, encoded, i + 2))) {
                throw new IllegalArgumentException("an escape is invalid");
            }
        }
        String text = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            throw new IllegalArgumentException("it is not UTF-8");
        }
        return text;
    }

    private static boolean isOneOf(String digits, String text, int at) {
        return at < text.length() && digits.indexOf(text.charAt(at)) >= 0;
    }
}
