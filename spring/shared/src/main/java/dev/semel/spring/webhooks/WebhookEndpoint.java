// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.WebhookRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.web.HttpRequestHandler;

/** Receives deliveries and passes them to the gate of their provider. */
final class WebhookEndpoint implements HttpRequestHandler {
    private volatile Map<String, Route> routes = Map.of();

    /** @param byName the gates by the last segment of the path */
    void serve(Map<String, Route> byName) {
        routes = Map.copyOf(byName);
    }

    /** @param maxBytes the maximum size of a body; one byte more is read, so that the gate refuses a larger one */
    record Route(WebhookGate gate, String tenant, int maxBytes) {}

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        Route route = routes.get(path.substring(path.lastIndexOf('/') + 1));
        if (route == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        byte[] body = request.getInputStream().readNBytes(route.maxBytes() + 1);
        WebhookAnswer answer = route.gate()
                .receive(new WebhookRequest(request.getMethod(), url(request), headers(request), body, route.tenant()))
                .toCompletableFuture()
                .join();
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        byte[] content = answer.body();
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }

    private static String url(HttpServletRequest request) {
        String query = request.getQueryString();
        return request.getRequestURL() + (query == null ? "" : "?" + query);
    }

    private static DeliveryHeaders headers(HttpServletRequest request) {
        Map<String, List<String>> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name.toLowerCase(Locale.ROOT), Collections.list(request.getHeaders(name)));
        }
        return DeliveryHeaders.of(headers);
    }
}
