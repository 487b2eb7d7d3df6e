// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.CallObserver.Current;

/** The trace of one request. */
public interface RequestTrace {
    /** A request that is not traced. */
    RequestTrace NONE = new RequestTrace() {
        @Override
        public Current enter() {
            return () -> {};
        }

        @Override
        public void end(int status) {}
    };

    /** Makes it the current trace of the calling thread, until the result is closed on the same thread. */
    Current enter();

    /**
     * The response was sent, or the client disconnected.
     *
     * @param status the status of the response; 0 if there is none
     */
    void end(int status);
}
