// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.http.HttpServerRequest;

/** Traces requests. It is called on event loops and must not block. */
public interface HttpTracer {
    /** Traces nothing. */
    HttpTracer NONE = (request, route) -> RequestTrace.NONE;

    /**
     * The route of a request was found.
     *
     * @param route the template of the route's path
     */
    RequestTrace begin(HttpServerRequest request, String route);
}
