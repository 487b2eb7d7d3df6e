// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import dev.semel.CallObserver;
import dev.semel.server.http.HttpTracer;
import dev.semel.server.proxy.UpstreamTracer;
import dev.semel.webhooks.Forward;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Traces nothing. */
final class NoTracing implements ServerTracing {
    @Override
    public Optional<CallObserver> calls() {
        return Optional.empty();
    }

    @Override
    public HttpTracer http() {
        return HttpTracer.NONE;
    }

    @Override
    public UpstreamTracer upstream() {
        return UpstreamTracer.NONE;
    }

    @Override
    public Forward traced(Forward forward) {
        return forward;
    }

    @Override
    public Executor keepingContext(Executor executor) {
        return executor;
    }

    @Override
    public void close() {}
}
