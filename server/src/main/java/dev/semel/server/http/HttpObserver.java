// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

/** Is told of every response, for metrics. It is called on event loops and must not block. */
public interface HttpObserver {
    /** Observes nothing. */
    HttpObserver NONE = (method, route, status, nanos) -> {};

    /**
     * A response is ready. It is sent after this returns, unless it was streamed.
     *
     * @param method the method, or {@code OTHER} if it is not a common one
     * @param route the template of the route's path; {@code none} if no route was found
     * @param nanos the time since the head of the request arrived
     */
    void answered(String method, String route, int status, long nanos);
}
