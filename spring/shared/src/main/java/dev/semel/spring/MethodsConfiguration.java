// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Semel;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** The advice for {@link Idempotent} methods. It is created early, so it asks for its beans at the first call. */
@Configuration(proxyBeanMethods = false)
@Import(AutoProxyRegistration.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class MethodsConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static GuardedMethods semelGuardedMethods(
            ObjectProvider<ResultCodecs> codecs,
            Environment environment,
            ObjectProvider<OperationCustomizer> customizers) {
        return new GuardedMethods(codecsOf(codecs), environment, customizers::orderedStream);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentAdvisor semelIdempotentAdvisor(
            ObjectProvider<Semel> semel,
            GuardedMethods methods,
            ObjectProvider<ResultCodecs> codecs,
            ObjectProvider<CurrentTenant> tenants,
            ObjectProvider<SemelProperties> properties) {
        return new IdempotentAdvisor(new IdempotentInterceptor(
                SingletonSupplier.of(semel::getObject),
                methods,
                new CallFingerprints(codecsOf(codecs)),
                SingletonSupplier.of(() -> tenants.getIfAvailable(() -> properties.getObject()::tenant))));
    }

    /** Also with {@code spring.main.lazy-initialization}: it is a check at start. */
    @Bean
    @Lazy(false)
    static IdempotentCheck semelIdempotentCheck(ConfigurableListableBeanFactory beans, GuardedMethods methods) {
        return new IdempotentCheck(beans, methods);
    }

    private static Supplier<ResultCodecs> codecsOf(ObjectProvider<ResultCodecs> codecs) {
        return SingletonSupplier.of(() -> codecs.getIfAvailable(() -> {
            throw new InvalidSetupException(
                    "Results of @Idempotent methods cannot be stored: there is no ResultCodecs bean.",
                    "Add Jackson: spring-boot-starter-json with Spring Boot 3, spring-boot-starter-jackson with Spring Boot 4. Or"
                            + " define a ResultCodecs bean.");
        }));
    }
}
