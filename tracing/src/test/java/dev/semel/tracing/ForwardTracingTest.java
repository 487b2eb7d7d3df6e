// SPDX-License-Identifier: Apache-2.0
package dev.semel.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.Forward;
import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.ProviderConfig;
import dev.semel.webhooks.provider.Providers;
import dev.semel.webhooks.provider.WebhookRequest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForwardTracingTest {
    private static final String STRANGER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final BlockingQueue<Map<String, List<String>>> received = new LinkedBlockingQueue<>();

    @AutoClose
    private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();

    @AutoClose
    private final Semel semel = Semel.on(new MemoryClaimStore())
            .secrets(Secrets.of("0123456789abcdef0123456789abcdef"))
            .observer(SemelTracing.on(telemetry))
            .withoutSweep()
            .build();

    private HttpServer target;

    @BeforeEach
    void listen() throws Exception {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", exchange -> {
            received.add(Map.copyOf(exchange.getRequestHeaders()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        target.start();
    }

    @AfterEach
    void stop() {
        target.stop(0);
    }

    @Test
    void theTargetIsPartOfTheTraceOfTheDelivery() throws Exception {
        WebhookGate gate = WebhookGate.on(semel)
                .acceptingUnverified()
                .build(
                        "paypal",
                        Providers.of("paypal", ProviderConfig.none()),
                        Forward.to(URI.create("http://127.0.0.1:"
                                        + target.getAddress().getPort() + "/hooks"))
                                .around(ForwardTracing.on(telemetry)));
        WebhookRequest delivery = new WebhookRequest(
                "POST",
                "https://hooks.example/webhooks/paypal",
                DeliveryHeaders.single(Map.of("Traceparent", STRANGER, "Tracestate", "stranger=1")),
                "{\"id\":\"WH-1\"}".getBytes(StandardCharsets.UTF_8),
                "acme");
        Span request = telemetry.getTracer("application").spanBuilder("request").startSpan();
        WebhookAnswer answer = Context.current()
                .with(request)
                .wrapSupplier(() -> gate.receive(delivery))
                .get()
                .toCompletableFuture()
                .join();
        request.end();

        assertThat(answer.kind()).isEqualTo(WebhookAnswer.Kind.PROCESSED);
        SpanData forward = exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("semel.forward"))
                .findFirst()
                .orElseThrow();
        Map<String, List<String>> headers = received.take();
        assertThat(headers.get("Traceparent"))
                .singleElement()
                .asString()
                .startsWith("00-%s-%s-".formatted(forward.getTraceId(), forward.getSpanId()));
        assertThat(headers).doesNotContainKey("Tracestate");
        assertThat(exporter.getFinishedSpanItems())
                .extracting(SpanData::getName)
                .containsExactlyInAnyOrder("request", "semel.claim", "semel.forward", "semel.settle");
        assertThat(exporter.getFinishedSpanItems())
                .filteredOn(span -> !span.getName().equals("request"))
                .allSatisfy(span -> assertThat(span.getParentSpanId())
                        .isEqualTo(request.getSpanContext().getSpanId()));
    }
}
