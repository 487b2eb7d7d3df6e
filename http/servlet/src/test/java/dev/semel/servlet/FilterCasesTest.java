// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.Semel;
import dev.semel.http.cases.CaseRoute;
import dev.semel.http.cases.CaseTarget;
import dev.semel.http.cases.HttpCases;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;

/** The shared cases on the filter, in each container and with each kind of servlet. */
class FilterCasesTest {
    private static final Secrets SECRETS = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));

    @AutoClose
    private final Semel semel = Semel.on(new MemoryClaimStore(InstantSource.system()))
            .secrets(SECRETS)
            .withoutSweep()
            .build();

    private final List<Container.Running> containers = new ArrayList<>();

    @TestFactory
    Stream<DynamicContainer> cases() {
        return Stream.of(Container.values())
                .flatMap(container -> Stream.of(CaseServlet.Mode.values()).map(mode -> cases(container, mode)));
    }

    private DynamicContainer cases(Container container, CaseServlet.Mode mode) {
        try {
            Container.Running running = container.start("", context -> deploy(context, mode));
            containers.add(running);
            return DynamicContainer.dynamicContainer(
                    "%s, %s".formatted(container, mode), HttpCases.on(CaseTarget.filter(running.uri())));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        containers.forEach(Container.Running::close);
    }

    private void deploy(ServletContext context, CaseServlet.Mode mode) {
        IdempotencyFilterBuilder builder = IdempotencyFilter.on(semel)
                .maxBodyBytes(CaseRoute.maxRequestBytes())
                .tenant(request -> header(request, "X-Organization-Id", "default"))
                .actor(request -> header(request, "X-Actor-Id", "anonymous"));
        CaseRoute.all().forEach(route -> builder.route(new Route(route.path(), route.methods(), route.rules())));
        FilterRegistration.Dynamic filter = context.addFilter("idempotency", builder.build());
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
        ServletRegistration.Dynamic servlet = context.addServlet("cases", new CaseServlet(mode));
        servlet.setAsyncSupported(true);
        servlet.addMapping("/");
    }

    private static String header(HttpServletRequest request, String name, String otherwise) {
        String value = request.getHeader(name);
        return value == null ? otherwise : value;
    }
}
