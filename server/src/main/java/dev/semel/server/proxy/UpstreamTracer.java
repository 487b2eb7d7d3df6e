// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import io.vertx.core.MultiMap;
import java.util.concurrent.Executor;

/** Traces requests to services. It is called on event loops and must not block. */
public interface UpstreamTracer {
    /** Traces nothing and changes no headers. */
    UpstreamTracer NONE = new UpstreamTracer() {
        @Override
        public UpstreamTrace begin(String method, String route) {
            return UpstreamTrace.NONE;
        }

        @Override
        public Executor keepingContext(Executor executor) {
            return executor;
        }
    };

    /**
     * A request is about to be forwarded, in the context of the calling thread.
     *
     * @param route the template of the route's path
     */
    UpstreamTrace begin(String method, String route);

    /** Returns an executor that runs its tasks in the context that the calling thread has now. */
    Executor keepingContext(Executor executor);

    /** The trace of one forwarded request. */
    interface UpstreamTrace {
        /** A request that is not traced. */
        UpstreamTrace NONE = new UpstreamTrace() {
            @Override
            public void passOn(MultiMap headers) {}

            @Override
            public void end(int status) {}
        };

        /** Adds the trace's headers. The client's are not forwarded then. */
        void passOn(MultiMap headers);

        /**
         * The head of the response arrived, or it is known that none will.
         *
         * @param status the status of the response, or {@link UpstreamObserver#NONE}
         */
        void end(int status);
    }
}
