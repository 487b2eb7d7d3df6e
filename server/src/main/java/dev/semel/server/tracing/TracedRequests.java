// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import dev.semel.CallObserver.Current;
import dev.semel.server.http.HttpTracer;
import dev.semel.server.http.RequestTrace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a span of every request, except of probes and scrapes. A client's trace is continued. */
final class TracedRequests implements HttpTracer {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");

    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";

    /** The length of a traceparent of the current version. Longer ones are of a later version or hostile. */
    private static final int PARENT_LENGTH = 55;

    /** What W3C requires to be passed on. A longer state is dropped as a whole. */
    private static final int LONGEST_STATE = 512;

    private static final TextMapGetter<Map<String, String>> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> carrier) {
            return carrier.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> carrier, String key) {
            return carrier == null ? null : carrier.get(key);
        }
    };

    private final Tracer tracer;

    TracedRequests(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public RequestTrace begin(HttpServerRequest request, String route) {
        if (route.startsWith("/health") || route.equals("/metrics")) {
            return RequestTrace.NONE;
        }
        String method = request.method().name();
        Context parent = parentOf(request.headers());
        // The path itself can contain keys and secrets.
        Span span = tracer.spanBuilder(method + " " + route)
                .setParent(parent)
                .setSpanKind(SpanKind.SERVER)
                .setAttribute(METHOD, method)
                .setAttribute(ROUTE, route)
                .startSpan();
        return new Traced(span, parent.with(span));
    }

    /** Returns the client's context. It is empty if its headers are malformed. */
    private static Context parentOf(MultiMap headers) {
        List<String> parents = headers.getAll(PARENT);
        if (parents.size() != 1 || parents.get(0).length() != PARENT_LENGTH) {
            return Context.root();
        }
        String state = String.join(",", headers.getAll(STATE));
        return W3CTraceContextPropagator.getInstance()
                .extract(
                        Context.root(),
                        state.isEmpty() || state.length() > LONGEST_STATE
                                ? Map.of(PARENT, parents.get(0))
                                : Map.of(PARENT, parents.get(0), STATE, state),
                        GETTER);
    }

    private record Traced(Span span, Context context) implements RequestTrace {
        @Override
        @SuppressWarnings("MustBeClosedChecker") // The caller closes it.
        public Current enter() {
            return context.makeCurrent()::close;
        }

        @Override
        public void end(int status) {
            if (status > 0) {
                span.setAttribute(STATUS, (long) status);
            }
            if (status >= 500) {
                span.setStatus(StatusCode.ERROR);
            }
            span.end();
        }
    }
}
