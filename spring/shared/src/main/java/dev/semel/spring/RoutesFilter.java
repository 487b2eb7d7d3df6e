// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring;

import dev.semel.http.ApiGate;
import dev.semel.servlet.IdempotencyFilter;
import dev.semel.servlet.IdempotencyFilterBuilder;
import dev.semel.servlet.Route;
import dev.semel.spring.SemelProperties.Http;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.function.SingletonSupplier;

/**
 * The servlet filter of {@code semel-servlet} for the routes of the application. The container needs the filter before the
 * controllers exist, so the routes are read when all beans exist. Without routes every request passes through.
 */
final class RoutesFilter implements Filter, SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(RoutesFilter.class);

    private final SingletonSupplier<Optional<IdempotencyFilter>> filter;

    RoutesFilter(
            Supplier<ApiGate> gate, Supplier<List<Route>> routes, Supplier<CurrentTenant> tenant, Http properties) {
        filter = SingletonSupplier.of(() -> build(gate, routes.get(), tenant.get(), properties));
    }

    private static Optional<IdempotencyFilter> build(
            Supplier<ApiGate> gate, List<Route> routes, CurrentTenant tenant, Http properties) {
        if (routes.isEmpty()) {
            return Optional.empty();
        }
        IdempotencyFilterBuilder builder = IdempotencyFilter.on(gate.get())
                .tenant(request -> tenant.tenant())
                .maxBodyBytes(properties.maxBodySize());
        routes.forEach(builder::route);
        LOG.info(
                "Requests to these routes take the key from the Idempotency-Key header: {}",
                routes.stream()
                        .map(route -> String.join("|", route.methods()) + " " + route.path())
                        .toList());
        return Optional.of(builder.build());
    }

    @Override
    public void afterSingletonsInstantiated() {
        filter.obtain();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<IdempotencyFilter> built = filter.obtain();
        if (built.isPresent()) {
            built.get().doFilter(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }
}
