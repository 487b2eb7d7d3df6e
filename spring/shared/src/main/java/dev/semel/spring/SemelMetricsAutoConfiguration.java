// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.micrometer.SemelMetrics;
import dev.semel.micrometer.WebhookMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Counts claims and webhooks. Spring Boot binds the counters to every registry of the application. */
@AutoConfiguration(before = SemelAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnProperty(
        name = {"semel.enabled", "management.metrics.enable.semel"},
        matchIfMissing = true)
public final class SemelMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    static SemelMetrics semelMetrics() {
        return new SemelMetrics();
    }

    @Bean
    @ConditionalOnMissingBean
    static WebhookMetrics semelWebhookMetrics() {
        return new WebhookMetrics();
    }
}
