// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.spring.SemelTracingAutoConfiguration;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;

/** Spans with the application's OpenTelemetry, if they are switched on. */
public abstract class TracingCases {
    /** Without an annotation, so that only these cases have it. */
    static final class Telemetry {
        @Bean
        static InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }

        @Bean
        static OpenTelemetry openTelemetry(InMemorySpanExporter exporter) {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                            .build())
                    .build();
        }
    }

    @Test
    void spansAreMadeIfTheyAreSwitchedOn() throws Exception {
        try (ShopDatabase database = new ShopDatabase();
                RunningShop running = RunningShop.start(
                        List.of(ShopApplication.class, Telemetry.class), database, "semel.tracing.enabled=true")) {
            running.shop().once("traced");

            assertThat(running.bean(InMemorySpanExporter.class).getFinishedSpanItems())
                    .extracting(SpanData::getName)
                    .containsExactly("semel.claim", "semel.run", "semel.settle", "semel.execute");
        }
    }

    @Test
    void tracingIsOffByDefault() {
        assertThat(SharedShop.get().context().getBeansOfType(SemelTracingAutoConfiguration.class))
                .isEmpty();
    }
}
