// SPDX-License-Identifier: Apache-2.0
package dev.semel.tracing;

import dev.semel.CallObserver.Current;
import dev.semel.CallObserver.Observation;
import dev.semel.CallObserver.Step;
import dev.semel.ClaimEvent.Kind;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A step as a span. */
final class SpanObservation implements Observation {
    static final AttributeKey<String> SCOPE = AttributeKey.stringKey("semel.scope");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("semel.outcome");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("semel.attempt");
    static final AttributeKey<String> STORE = AttributeKey.stringKey("semel.store");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    /** The outcomes that somebody should look at. A business rejection or a duplicate is not one of them. */
    private static final Set<Kind> ERRORS = EnumSet.of(
            Kind.FAILED,
            Kind.FAILED_RETRYABLY,
            Kind.PARKED,
            Kind.UNKNOWN,
            Kind.UNAVAILABLE,
            Kind.OWNERSHIP_LOST,
            Kind.SETTLEMENT_FAILED);

    private final Tracer tracer;
    private final Context context;
    private final Span span;
    private final String scope;
    private final @Nullable String store;

    private SpanObservation(Tracer tracer, Context context, String scope, @Nullable String store) {
        this.tracer = tracer;
        this.context = context;
        this.span = Span.fromContext(context);
        this.scope = scope;
        this.store = store;
    }

    static SpanObservation begun(Tracer tracer, Context parent, Step step, String scope, @Nullable String store) {
        SpanBuilder builder = tracer.spanBuilder(nameOf(step)).setParent(parent).setAttribute(SCOPE, scope);
        if (store != null) {
            builder.setAttribute(STORE, store);
        }
        return new SpanObservation(tracer, parent.with(builder.startSpan()), scope, store);
    }

    private static String nameOf(Step step) {
        return switch (step) {
            case EXECUTE -> "semel.execute";
            case CLAIM -> "semel.claim";
            case RUN -> "semel.run";
            case SETTLE -> "semel.settle";
        };
    }

    @Override
    public Observation begin(Step step) {
        return begun(tracer, context, step, scope, store);
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // The caller closes it.
    public Current enter() {
        return context.makeCurrent()::close;
    }

    @Override
    public void end(@Nullable Kind outcome, int attempt, @Nullable Throwable failure) {
        if (outcome != null) {
            span.setAttribute(OUTCOME, outcome.name().toLowerCase(Locale.ROOT));
        }
        if (attempt > 0) {
            span.setAttribute(ATTEMPT, (long) attempt);
        }
        if (failure != null) {
            // Not recordException: messages and stack traces can quote keys and payloads.
            span.setAttribute(ERROR, failure.getClass().getName());
        }
        if (failure != null || (outcome != null && ERRORS.contains(outcome))) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
