// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.webhooks.WebhookGate;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/** The header that names a request's tenant, where the sender may choose it. */
final class OrganizationHeader {
    static final String NAME = "X-Organization-Id";
    private static final int LONGEST = 255;

    private OrganizationHeader() {}

    /**
     * Returns the tenant; empty if the header is missing.
     *
     * @throws ProblemException if it is given twice, is not a valid name, or is reserved
     */
    static Optional<String> of(HttpServerRequest request) {
        Optional<String> tenant = RequestHeaders.single(request, NAME).map(value -> RequestHeaders.utf8(NAME, value));
        tenant.ifPresent(name -> {
            if (name.isEmpty() || name.length() > LONGEST || TextChecks.hasControls(name)) {
                throw ProblemDetail.field(
                                NAME,
                                "The header %s must have 1 to %d characters and no control characters"
                                        .formatted(NAME, LONGEST))
                        .asException();
            }
            if (name.equals(WebhookGate.RESERVED_TENANT)) {
                throw ProblemDetail.field(NAME, "The header %s contains a reserved organization".formatted(NAME))
                        .asException();
            }
        });
        return tenant;
    }
}
