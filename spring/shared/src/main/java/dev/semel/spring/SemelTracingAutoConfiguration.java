// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.tracing.SemelTracing;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Makes spans if {@code semel.tracing.enabled} is set. The bean is looked up when the engine is built, because Spring Boot 3, Spring
 * Boot 4 and OpenTelemetry's own starter configure it in different places.
 */
@AutoConfiguration(before = SemelAutoConfiguration.class)
@ConditionalOnClass({OpenTelemetry.class, SemelTracing.class})
@ConditionalOnProperty(name = "semel.tracing.enabled", havingValue = "true")
public final class SemelTracingAutoConfiguration {
    @Bean
    static SemelCustomizer semelTracing(ObjectProvider<OpenTelemetry> telemetry) {
        return builder -> telemetry.ifAvailable(known -> builder.observer(SemelTracing.on(known)));
    }
}
