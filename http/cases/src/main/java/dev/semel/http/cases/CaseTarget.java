// SPDX-License-Identifier: Apache-2.0
package dev.semel.http.cases;

import java.net.URI;

/**
 * The target of the cases. It needs no reset: every run of a case has its own paths, keys and gates.
 *
 * @param address where requests are sent, such as {@code http://127.0.0.1:8080}
 * @param application the address of the application's control paths. It is the same for a filter.
 */
public record CaseTarget(URI address, URI application) {
    /** A filter inside the application. */
    public static CaseTarget filter(URI address) {
        return new CaseTarget(address, address);
    }
}
