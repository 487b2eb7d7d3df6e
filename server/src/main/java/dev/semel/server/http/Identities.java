// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;

/** Determines the identity behind a request. */
interface Identities {
    /**
     * Returns the sender of this request.
     *
     * @throws ProblemException if the request is not authenticated
     */
    Identity of(HttpServerRequest request);

    /** Rejects requests that must not reach any route. Called for every request, including those to open routes. */
    void admit(HttpServerRequest request);
}
