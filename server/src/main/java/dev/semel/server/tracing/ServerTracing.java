// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import dev.semel.CallObserver;
import dev.semel.server.config.Settings;
import dev.semel.server.http.HttpTracer;
import dev.semel.server.proxy.UpstreamTracer;
import dev.semel.webhooks.Forward;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The traces of the server. Without the setting {@code tracing} there are none, and no class of OpenTelemetry is loaded. */
public interface ServerTracing extends AutoCloseable {
    /** Makes no traces. */
    ServerTracing OFF = new NoTracing();

    /** Starts what the settings ask for. */
    static ServerTracing of(Settings settings) {
        // Not Optional.map: a reference to the method would load its class even if there is nothing to trace.
        return settings.tracing().isPresent()
                ? OpenTelemetryTracing.start(settings.tracing().get(), settings.database())
                : OFF;
    }

    /** Returns the observer of the engine's calls, if they are traced. */
    Optional<CallObserver> calls();

    /** Traces requests to this server. */
    HttpTracer http();

    /** Traces requests to proxied services. */
    UpstreamTracer upstream();

    /** Returns the same sink for webhooks, traced. */
    Forward traced(Forward forward);

    /** Returns an executor that runs its tasks in the context that the calling thread has now. */
    Executor keepingContext(Executor executor);

    /** Exports the remaining spans, for a short time. */
    @Override
    void close();
}
