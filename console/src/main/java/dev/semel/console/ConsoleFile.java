// SPDX-License-Identifier: Apache-2.0
package dev.semel.console;

import java.util.Arrays;
import java.util.Map;

/**
 * A file of the console, as it is sent to a browser.
 *
 * @param contentType its media type
 * @param etag identifies its content, in quotes
 * @param content not copied; it must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // Files are never compared.
public record ConsoleFile(String name, String contentType, String etag, byte[] content) {
    /**
     * Scripts, styles and requests of the console's own origin only. Nothing is inline, and no script may write HTML: with
     * trusted types, a browser refuses {@code innerHTML}.
     */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script';"
                    + " trusted-types 'none'";

    /** The headers that every host must send with the file, besides its content type. */
    public Map<String, String> headers() {
        return Map.of(
                "Content-Security-Policy", POLICY,
                "X-Content-Type-Options", "nosniff",
                "X-Frame-Options", "DENY",
                "Referrer-Policy", "no-referrer",
                "Cross-Origin-Opener-Policy", "same-origin",
                "Cross-Origin-Resource-Policy", "same-origin",
                // The browser asks each time whether its copy is current, so that an update is seen at once.
                "Cache-Control", "no-cache",
                "ETag", etag);
    }

    /** Whether an If-None-Match header names this file's content. */
    public boolean matches(String ifNoneMatch) {
        return Arrays.stream(ifNoneMatch.split(",", -1))
                .map(tag -> tag.strip().replaceFirst("^W/", ""))
                .anyMatch(tag -> tag.equals(etag) || tag.equals("*"));
    }
}
