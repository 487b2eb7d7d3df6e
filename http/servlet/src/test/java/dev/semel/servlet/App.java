// SPDX-License-Identifier: Apache-2.0
package dev.semel.servlet;

import dev.semel.Semel;
import dev.semel.http.ApiRules;
import dev.semel.key.Secret;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.spi.ClaimStore;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One servlet behind the filter, in a real container, and a client. */
final class App implements AutoCloseable {
    static final Secrets SECRETS = Secrets.of(Secret.of("0123456789abcdef0123456789abcdef"));

    final AtomicInteger runs = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Semel semel;
    private final Container.Running container;

    /** The behaviour of a servlet. */
    interface Doing {
        void serve(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;
    }

    /** The settings of the application. Each has a default. */
    record Setup(
            ClaimStore store,
            ApiRules rules,
            String contextPath,
            Set<DispatcherType> types,
            Consumer<ServletContext> more,
            Consumer<IdempotencyFilterBuilder> filter) {
        static Setup usual() {
            return new Setup(
                    new MemoryClaimStore(InstantSource.system()),
                    ApiRules.of("/orders/**").withMaxAnswerBytes(10_000),
                    "",
                    EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC),
                    context -> {},
                    builder -> {});
        }

        Setup withStore(ClaimStore value) {
            return new Setup(value, rules, contextPath, types, more, filter);
        }

        Setup withRules(ApiRules value) {
            return new Setup(store, value, contextPath, types, more, filter);
        }

        Setup withContextPath(String value) {
            return new Setup(store, rules, value, types, more, filter);
        }

        Setup withTypes(Set<DispatcherType> value) {
            return new Setup(store, rules, contextPath, value, more, filter);
        }

        Setup withMore(Consumer<ServletContext> value) {
            return new Setup(store, rules, contextPath, types, value, filter);
        }

        Setup withFilter(Consumer<IdempotencyFilterBuilder> value) {
            return new Setup(store, rules, contextPath, types, more, value);
        }
    }

    App(Container kind, Doing doing) throws Exception {
        this(kind, Setup.usual(), doing);
    }

    App(Container kind, Setup setup, Doing doing) throws Exception {
        semel = Semel.on(setup.store())
                .secrets(SECRETS)
                .withoutSweep()
                .storeTimeout(Duration.ofSeconds(1))
                .build();
        container = kind.start(setup.contextPath(), context -> {
            setup.more().accept(context);
            IdempotencyFilterBuilder builder = IdempotencyFilter.on(semel).route(Route.of(setup.rules()));
            setup.filter().accept(builder);
            FilterRegistration.Dynamic filter = context.addFilter("idempotency", builder.build());
            filter.setAsyncSupported(true);
            filter.addMappingForUrlPatterns(EnumSet.copyOf(setup.types()), true, "/*");
            ServletRegistration.Dynamic servlet = context.addServlet("app", new Counting(doing));
            servlet.setAsyncSupported(true);
            servlet.setMultipartConfig(new MultipartConfigElement(""));
            servlet.addMapping("/");
        });
    }

    private final class Counting extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Doing doing;

        Counting(Doing doing) {
            this.doing = doing;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                runs.incrementAndGet();
            }
            doing.serve(request, response);
        }
    }

    URI uri() {
        return container.uri();
    }

    /** Sends POST /orders/1 with the key k-1 and no body. */
    HttpResponse<String> post() {
        return post("text/plain", "");
    }

    HttpResponse<String> post(String type, String body) {
        return send(request("/orders/1", type, body));
    }

    HttpRequest.Builder request(String path, String type, String body) {
        return HttpRequest.newBuilder(URI.create(uri() + path))
                .timeout(Duration.ofSeconds(40))
                .header("Idempotency-Key", "k-1")
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(body));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    static String status(HttpResponse<?> response) {
        return header(response, "X-Idempotency-Status");
    }

    @Override
    public void close() {
        container.close();
        semel.close();
    }
}
