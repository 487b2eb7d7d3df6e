// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import java.net.URI;

/**
 * What the cases are run against. There is nothing to reset: every run of a case has paths, keys and gates of its own.
 *
 * @param door where requests are sent, such as {@code http://127.0.0.1:8080}
 * @param application where the application's control paths are; the same for a filter
 */
public record CaseTarget(URI door, URI application) {
    /** A door inside the application. */
    public static CaseTarget filter(URI door) {
        return new CaseTarget(door, door);
    }
}
