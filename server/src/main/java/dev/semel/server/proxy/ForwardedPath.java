// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import java.util.Locale;

/** Rejects paths that the target service could interpret as a path outside of the route. */
final class ForwardedPath {
    private ForwardedPath() {}

    /** @param uri path and query */
    static void check(String uri, String path) {
        for (String part : path.split("/", -1)) {
            String lower = part.toLowerCase(Locale.ROOT);
            String dots = lower.replace("%2e", ".");
            // A segment may have parameters: some servers read /..;x/ as /../.
            int parameters = dots.indexOf(';');
            String name = parameters < 0 ? dots : dots.substring(0, parameters);
            if (name.equals(".") || name.equals("..")) {
                throw bad("The path must not contain the segments . and ..");
            }
            if (lower.contains("%2f") || lower.contains("%5c") || lower.contains("\\") || lower.contains("%00")) {
                throw bad("The path must not contain an escaped slash, a backslash or an escaped NUL");
            }
        }
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                throw bad("The URI must be visible ASCII without #; percent-encode other characters");
            }
        }
    }

    private static RuntimeException bad(String detail) {
        return ProblemDetail.of(ProblemType.BAD_REQUEST, detail).asException();
    }
}
