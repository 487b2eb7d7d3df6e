// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.boot4;

import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.StoreHealth;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the store and where it is, as {@code semel} in Actuator's health and info. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class, InfoContributor.class})
@ConditionalOnBean(StoreHealth.class)
public final class Boot4ActuatorAutoConfiguration {
    @Bean
    @ConditionalOnEnabledHealthIndicator("semel")
    @ConditionalOnMissingBean(name = "semelHealthIndicator")
    static HealthIndicator semelHealthIndicator(StoreHealth health) {
        return new Indicator(health);
    }

    @Bean
    @ConditionalOnProperty(name = "management.info.semel.enabled", matchIfMissing = true)
    static InfoContributor semelInfoContributor(StoreHealth health) {
        return builder -> builder.withDetail("semel", health.details());
    }

    private static final class Indicator extends AbstractHealthIndicator {
        private final StoreHealth health;

        Indicator(StoreHealth health) {
            super("The store of Semel does not answer");
            this.health = health;
        }

        @Override
        protected void doHealthCheck(Health.Builder builder) {
            health.check();
            builder.up().withDetails(health.details());
        }
    }
}
