// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.tracing;

import dev.semel.CallObserver;
import dev.semel.server.config.DatabaseSettings;
import dev.semel.server.config.TracingSettings;
import dev.semel.server.http.HttpTracer;
import dev.semel.server.proxy.UpstreamTracer;
import dev.semel.tracing.ForwardTracing;
import dev.semel.tracing.SemelTracing;
import dev.semel.webhooks.Forward;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Exports traces over OTLP. Spans wait in a queue of limited size for a thread of the exporter, so a collector that is slow or
 * unavailable costs spans and nothing else.
 */
final class OpenTelemetryTracing implements ServerTracing {
    private static final int MAX_QUEUE = 2_048;
    private static final int MAX_BATCH = 512;
    private static final int MAX_ATTRIBUTE = 512;
    private static final Duration EXPORT_EVERY = Duration.ofSeconds(1);
    private static final Duration EXPORT_WITHIN = Duration.ofSeconds(5);
    private static final RetryPolicy RETRY_ONCE = RetryPolicy.builder()
            .setMaxAttempts(2)
            .setInitialBackoff(EXPORT_EVERY)
            .setMaxBackoff(EXPORT_EVERY)
            .build();
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final String PATH = "/v1/traces";

    private final SdkTracerProvider provider;
    private final OpenTelemetry telemetry;
    private final CallObserver calls;
    private final TracedRequests requests;
    private final TracedUpstreams upstreams;

    private OpenTelemetryTracing(SdkTracerProvider provider, String store) {
        this.provider = provider;
        this.telemetry = new Telemetry(provider);
        this.calls = SemelTracing.on(telemetry).store(store);
        Tracer tracer = telemetry.getTracer(SemelTracing.TRACER);
        this.requests = new TracedRequests(tracer);
        this.upstreams = new TracedUpstreams(tracer);
    }

    static OpenTelemetryTracing start(TracingSettings settings, DatabaseSettings database) {
        LoggedExporter exporter = new LoggedExporter(OtlpHttpSpanExporter.builder()
                .setEndpoint(tracesOf(settings.endpoint()))
                .setConnectTimeout(EXPORT_WITHIN)
                .setTimeout(EXPORT_WITHIN)
                .setRetryPolicy(RETRY_ONCE)
                .build());
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.builder()
                        .put("service.name", settings.serviceName())
                        .build()))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.sampleRatio())))
                .setSpanLimits(SpanLimits.builder()
                        .setMaxAttributeValueLength(MAX_ATTRIBUTE)
                        .build())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter)
                        .setMaxQueueSize(MAX_QUEUE)
                        .setMaxExportBatchSize(MAX_BATCH)
                        .setScheduleDelay(EXPORT_EVERY)
                        .setExporterTimeout(EXPORT_WITHIN)
                        .build())
                .build();
        return new OpenTelemetryTracing(provider, storeOf(database));
    }

    /** Returns the URL for traces, given that of the collector or of its traces. */
    private static String tracesOf(URI endpoint) {
        String url = endpoint.toString();
        String base = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        return base.endsWith(PATH) ? base : base + PATH;
    }

    /** Returns the part of the JDBC URL that names the database's kind, for example {@code postgresql}. */
    private static String storeOf(DatabaseSettings database) {
        return database.url().split(":", 3)[1];
    }

    @Override
    public Optional<CallObserver> calls() {
        return Optional.of(calls);
    }

    @Override
    public HttpTracer http() {
        return requests;
    }

    @Override
    public UpstreamTracer upstream() {
        return upstreams;
    }

    @Override
    public Forward traced(Forward forward) {
        return forward.around(ForwardTracing.on(telemetry));
    }

    @Override
    public Executor keepingContext(Executor executor) {
        return Context.current().wrap(executor);
    }

    @Override
    public void close() {
        provider.shutdown().join(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Traces only, with the headers of W3C. Baggage is not read. */
    private record Telemetry(TracerProvider provider) implements OpenTelemetry {
        private static final ContextPropagators W3C =
                ContextPropagators.create(W3CTraceContextPropagator.getInstance());

        @Override
        public TracerProvider getTracerProvider() {
            return provider;
        }

        @Override
        public ContextPropagators getPropagators() {
            return W3C;
        }
    }
}
