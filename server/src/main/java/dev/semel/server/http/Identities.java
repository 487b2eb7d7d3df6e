// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;

/** Finds out who asks. */
interface Identities {
    /**
     * Whoever sent this request.
     *
     * @throws ProblemException if that cannot be told
     */
    Identity of(HttpServerRequest request);

    /** Refuses what may not even ask; called for every request, open routes included. */
    void admit(HttpServerRequest request);
}
