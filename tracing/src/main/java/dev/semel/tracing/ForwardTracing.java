// SPDX-License-Identifier: Apache-2.0
package dev.semel.tracing;

import dev.semel.internal.Futures;
import dev.semel.webhooks.ForwardClient;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a span {@code semel.forward} of every forwarded webhook event, and passes its context on to the target: {@code
 * Forward.to(url).around(ForwardTracing.on(openTelemetry))}. Trace headers of the sender are not forwarded then.
 */
public final class ForwardTracing implements UnaryOperator<ForwardClient> {
    private static final AttributeKey<String> SERVER = AttributeKey.stringKey("server.address");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    private ForwardTracing(Tracer tracer, TextMapPropagator propagator) {
        this.tracer = tracer;
        this.propagator = propagator;
    }

    /** Makes spans with a tracer of this instance, and uses its propagators. */
    public static ForwardTracing on(OpenTelemetry openTelemetry) {
        return new ForwardTracing(
                openTelemetry.getTracer(SemelTracing.TRACER),
                openTelemetry.getPropagators().getTextMapPropagator());
    }

    @Override
    public ForwardClient apply(ForwardClient client) {
        return (target, headers, body, timeout) -> send(client, target, headers, body, timeout);
    }

    private CompletionStage<Integer> send(
            ForwardClient client, URI target, Map<String, List<String>> headers, byte[] body, Duration timeout) {
        Span span = tracer.spanBuilder("semel.forward")
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute(SERVER, String.valueOf(target.getHost()))
                .startSpan();
        try {
            return client.send(target, withContext(span, headers), body, timeout)
                    .whenComplete((status, failure) -> end(span, status, failure));
        } catch (RuntimeException e) {
            end(span, null, e);
            throw e;
        }
    }

    private Map<String, List<String>> withContext(Span span, Map<String, List<String>> headers) {
        Map<String, List<String>> sent = new LinkedHashMap<>(headers);
        sent.keySet().removeIf(name -> propagator.fields().contains(name.toLowerCase(Locale.ROOT)));
        propagator.inject(Context.current().with(span), sent, (to, name, value) -> put(to, name, value));
        return sent;
    }

    private static void put(@Nullable Map<String, List<String>> to, String name, String value) {
        if (to != null) {
            to.put(name, List.of(value));
        }
    }

    private static void end(Span span, @Nullable Integer status, @Nullable Throwable failure) {
        boolean done = status != null && status >= 200 && status < 300;
        if (status != null) {
            span.setAttribute(STATUS, status.longValue());
        }
        if (failure != null) {
            span.setAttribute(
                    SpanObservation.ERROR, Futures.unwrapped(failure).getClass().getName());
        }
        span.setAttribute(SpanObservation.OUTCOME, done ? "succeeded" : "failed");
        if (!done) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
