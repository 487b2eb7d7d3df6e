// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import dev.semel.server.proxy.UpstreamTracer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.vertx.core.MultiMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Makes a span {@code semel.proxy} of every forwarded request, until the head of its response. */
final class TracedUpstreams implements UpstreamTracer {
    private final Tracer tracer;

    TracedUpstreams(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public UpstreamTrace begin(String method, String route) {
        Span span = tracer.spanBuilder("semel.proxy")
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(TracedRequests.METHOD, method)
                .setAttribute(TracedRequests.ROUTE, route)
                .startSpan();
        return new Traced(span, Context.current().with(span));
    }

    @Override
    public Executor keepingContext(Executor executor) {
        return Context.current().wrap(executor);
    }

    private record Traced(Span span, Context context) implements UpstreamTrace {
        @Override
        public void passOn(MultiMap headers) {
            W3CTraceContextPropagator.getInstance().inject(context, headers, Traced::set);
        }

        private static void set(@Nullable MultiMap headers, String name, String value) {
            if (headers != null) {
                headers.set(name, value);
            }
        }

        @Override
        public void end(int status) {
            if (status > 0) {
                span.setAttribute(TracedRequests.STATUS, (long) status);
            }
            if (status == 0 || status >= 500) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }
}
