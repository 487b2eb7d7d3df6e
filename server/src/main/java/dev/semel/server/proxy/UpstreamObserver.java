// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

/** Is told of every request to a service, for metrics. It is called on event loops and must not block. */
public interface UpstreamObserver {
    /** The status of a request without a response. */
    int NONE = 0;

    /**
     * The head of a response arrived, or it is known that none will.
     *
     * @param route the template of the route's path
     * @param status the status of the response, or {@link #NONE}
     * @param nanos the time since the request was forwarded
     */
    void answered(String route, int status, long nanos);
}
