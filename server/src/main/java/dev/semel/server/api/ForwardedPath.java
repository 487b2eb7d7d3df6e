// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.api;

import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import java.util.Locale;

/** Refuses paths that the service behind could understand as other ones, outside of their route. */
final class ForwardedPath {
    private ForwardedPath() {}

    /** @param uri the path and the query */
    static void check(String uri, String path) {
        for (String part : path.split("/", -1)) {
            String lower = part.toLowerCase(Locale.ROOT);
            String dots = lower.replace("%2e", ".");
            // A part may have parameters: /..;x/ is /../ for some servers.
            int parameters = dots.indexOf(';');
            String name = parameters < 0 ? dots : dots.substring(0, parameters);
            if (name.equals(".") || name.equals("..")) {
                throw bad("The path must not have the parts . and ..");
            }
            if (lower.contains("%2f") || lower.contains("%5c") || lower.contains("\\") || lower.contains("%00")) {
                throw bad("The path must not have an escaped slash, a backslash or an escaped zero");
            }
        }
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '#') {
                throw bad("The address must be visible ASCII without #; escape other characters");
            }
        }
    }

    private static RuntimeException bad(String detail) {
        return ProblemDetail.of(ProblemType.BAD_REQUEST, detail).asException();
    }
}
