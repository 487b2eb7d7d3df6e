// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.test;

import dev.semel.ClaimListener;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelCustomizer;
import dev.semel.test.TestSemel;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The store, the listener and the settings of a {@link TestSemel} for the application's engine. */
@AutoConfiguration(before = SemelAutoConfiguration.class)
public final class TestSemelAutoConfiguration {
    /** No test waits for it: a store that is down answers at once. */
    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(30);

    /** So that tests need no property. */
    @Bean
    @ConditionalOnMissingBean
    static Secrets semelSecrets() {
        return Secrets.of("semel-spring-test: the same in every test");
    }

    @Bean
    static TestSemel testSemel(Secrets secrets) {
        return TestSemel.create(secrets);
    }

    /** Primary, so that it also replaces a store that the application defines. */
    @Bean(destroyMethod = "")
    @Primary
    static ClaimStore testSemelStore(TestSemel semel) {
        return semel.store();
    }

    @Bean
    static ClaimListener testSemelListener(TestSemel semel) {
        return semel.listener();
    }

    /** The settings of {@link TestSemel}. They come last, because a cache would expire by the clock of the machine. */
    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    static SemelCustomizer testSemelSettings() {
        return builder ->
                builder.storeTimeout(STORE_TIMEOUT).withoutReplayCache().withoutSweep();
    }
}
