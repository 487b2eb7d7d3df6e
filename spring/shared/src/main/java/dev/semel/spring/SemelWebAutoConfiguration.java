// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.Semel;
import dev.semel.admin.HistoryRecorder;
import dev.semel.http.ApiGate;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The Idempotency-Key header on controllers, and responses for outcomes without a value. */
@AutoConfiguration(after = SemelAutoConfiguration.class)
@ConditionalOnProperty(name = "semel.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({RequestMappingHandlerMapping.class, Filter.class})
public final class SemelWebAutoConfiguration {
    @Bean
    static NotDoneProblems semelNotDoneProblems() {
        return new NotDoneProblems();
    }

    @Bean
    @ConditionalOnProperty(name = "semel.http.enabled", matchIfMissing = true)
    static RoutesFilter semelRoutesFilter(
            ObjectProvider<Semel> semel,
            ObjectProvider<HistoryRecorder> histories,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<CurrentTenant> tenants,
            SemelProperties properties,
            Environment environment) {
        return new RoutesFilter(
                () -> gate(semel.getObject(), histories.getIfAvailable()),
                () -> new IdempotentRoutes(environment)
                        .of(mappings.orderedStream().toList(), properties.http().routes()),
                SingletonSupplier.of(() -> tenants.getIfAvailable(() -> properties::tenant)),
                properties.http());
    }

    /** The history, if there is one, shows where a request differed from the first one with its key. */
    private static ApiGate gate(Semel semel, @Nullable HistoryRecorder history) {
        return history == null ? new ApiGate(semel) : new ApiGate(semel, history::differs);
    }

    @Bean
    @ConditionalOnProperty(name = "semel.http.enabled", matchIfMissing = true)
    static FilterRegistrationBean<RoutesFilter> semelRoutesFilterRegistration(
            RoutesFilter filter, SemelProperties properties) {
        FilterRegistrationBean<RoutesFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setName("semelIdempotencyFilter");
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        registration.setAsyncSupported(true);
        registration.setOrder(properties.http().filterOrder());
        return registration;
    }
}
