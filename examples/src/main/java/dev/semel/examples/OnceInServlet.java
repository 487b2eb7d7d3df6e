// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples;

import dev.semel.Semel;
import dev.semel.key.Secrets;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.servlet.IdempotencyFilter;
import dev.semel.servlet.Route;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;

/** Posts the same order twice to a servlet behind the filter: one order is made, and both answers are equal. */
public final class OnceInServlet {
    private OnceInServlet() {}

    public static void main(String[] arguments) throws Exception {
        Secrets secrets = Secrets.of("change-me: at least 32 random bytes");
        try (Semel semel = Semel.on(new MemoryClaimStore()).secrets(secrets).build();
                EmbeddedTomcat tomcat = EmbeddedTomcat.start(application -> register(semel, application))) {
            for (int click = 1; click <= 2; click++) {
                HttpResponse<String> answer = post(tomcat.uri().resolve("/orders"), "order-17");
                HttpHeaders headers = answer.headers();
                System.out.printf(
                        "%d, Location: %s, replayed: %s, %s%n",
                        answer.statusCode(),
                        headers.firstValue("Location").orElse("none"),
                        headers.firstValue("Idempotent-Replayed").orElse("false"),
                        answer.body());
            }
        }
    }

    private static void register(Semel semel, ServletContext application) {
        IdempotencyFilter filter =
                IdempotencyFilter.on(semel).route(Route.of("/orders/**")).build();
        FilterRegistration.Dynamic registration = application.addFilter("idempotency", filter);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
        application.addServlet("orders", new Orders()).addMapping("/orders/*");
    }

    private static HttpResponse<String> post(URI uri, String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString("{\"item\":\"book\"}"))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Knows nothing of keys and duplicates. */
    private static final class Orders extends HttpServlet {
        private final AtomicInteger made = new AtomicInteger();

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int number = made.incrementAndGet();
            System.out.println("making order " + number);
            response.setStatus(HttpServletResponse.SC_CREATED);
            response.setHeader("Location", "/orders/" + number);
            response.setContentType("application/json");
            response.getWriter().print("{\"order\":" + number + "}");
        }
    }
}
