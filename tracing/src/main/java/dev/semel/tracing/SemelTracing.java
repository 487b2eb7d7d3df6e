// SPDX-License-Identifier: Apache-2.0
package dev.semel.tracing;

import dev.semel.CallObserver;
import dev.semel.internal.ScopeLabels;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of an engine's calls: {@code Semel.on(store).observer(SemelTracing.on(openTelemetry))}.
 *
 * <pre>{@code
 * semel.execute                 the caller's current span is its parent
 *   semel.claim                 including the wait for a running owner
 *   semel.run                   current while the work runs, so spans of the work are its children
 *   semel.settle
 * }</pre>
 *
 * <p>Attributes are the scope without the parts that identify a workflow run or an actor, the outcome, the attempt, the store
 * and the class of an exception. No attribute contains a key, a token, a tenant, a payload or an exception's message.
 */
public final class SemelTracing implements CallObserver {
    /** The name of the tracer that makes the spans. */
    public static final String TRACER = "dev.semel";

    private final Tracer tracer;
    private final @Nullable String store;

    private SemelTracing(Tracer tracer, @Nullable String store) {
        this.tracer = tracer;
        this.store = store;
    }

    /** Makes spans with a tracer of this instance. */
    public static SemelTracing on(OpenTelemetry openTelemetry) {
        return new SemelTracing(openTelemetry.getTracer(TRACER), null);
    }

    /**
     * The same, with a name of the store as an attribute of every span.
     *
     * @param name for example {@code postgresql}
     */
    public SemelTracing store(String name) {
        return new SemelTracing(tracer, Objects.requireNonNull(name, "A name must not be null"));
    }

    @Override
    public Observation begin(Step step, String scope) {
        return SpanObservation.begun(tracer, Context.current(), step, ScopeLabels.withoutIds(scope), store);
    }

    @Override
    public Executor keepingContext(Executor executor) {
        return Context.current().wrap(executor);
    }
}
