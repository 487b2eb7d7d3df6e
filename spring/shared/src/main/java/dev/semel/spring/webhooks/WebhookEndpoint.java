// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.webhooks;

import dev.semel.webhooks.WebhookAnswer;
import dev.semel.webhooks.WebhookGate;
import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.WebhookRequest;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncManager;
import org.springframework.web.context.request.async.WebAsyncUtils;

/**
 * Receives deliveries and passes them to the gate of their provider. Handlers run on threads of their own. While they do, the
 * thread of the container is free, so that slow handlers do not stop other requests.
 */
final class WebhookEndpoint implements HttpRequestHandler {
    private static final long NO_TIMEOUT = 0;
    private static final WebhookAnswer STILL_RUNNING = new WebhookAnswer(
            WebhookAnswer.Kind.IN_PROGRESS,
            "The event is still being processed; deliver it again later",
            List.of(),
            Optional.empty(),
            5);

    private volatile Map<String, Route> routes = Map.of();

    /** @param byName the gates by the last segment of the path */
    void serve(Map<String, Route> byName) {
        routes = Map.copyOf(byName);
    }

    /**
     * Where the deliveries of a provider go.
     *
     * @param maxBytes the maximum size of a body; one byte more is read, so that the gate refuses a larger one
     * @param answerWithin after which time a delivery is answered with 503 although its handler still runs
     */
    record Route(WebhookGate gate, String tenant, int maxBytes, Duration answerWithin) {}

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        WebAsyncManager async = WebAsyncUtils.getAsyncManager(request);
        if (async.hasConcurrentResult()) {
            answer(response, async.getConcurrentResult());
            async.clearConcurrentResult();
            return;
        }
        String path = request.getRequestURI();
        Route route = routes.get(path.substring(path.lastIndexOf('/') + 1));
        if (route == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        CompletableFuture<WebhookAnswer> answer = received(route, request);
        if (answer.isDone() || !request.isAsyncSupported()) {
            // A filter that does not support asynchronous requests: the wait is bounded.
            answer(response, answer.join());
        } else {
            answerLater(async, answer, request, response);
        }
    }

    /** Completes in time: if the handler takes longer, it goes on, and the next delivery finds its outcome. */
    private static CompletableFuture<WebhookAnswer> received(Route route, HttpServletRequest request)
            throws IOException {
        byte[] body = request.getInputStream().readNBytes(route.maxBytes() + 1);
        return route.gate()
                .receive(new WebhookRequest(request.getMethod(), url(request), headers(request), body, route.tenant()))
                .toCompletableFuture()
                .copy()
                .completeOnTimeout(STILL_RUNNING, route.answerWithin().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Frees the thread. The container calls {@link #handleRequest} again when the answer exists. */
    private static void answerLater(
            WebAsyncManager async,
            CompletableFuture<WebhookAnswer> answer,
            HttpServletRequest request,
            HttpServletResponse response)
            throws ServletException {
        DeferredResult<WebhookAnswer> deferred = new DeferredResult<>(NO_TIMEOUT);
        async.setAsyncWebRequest(WebAsyncUtils.createAsyncWebRequest(request, response));
        try {
            async.startDeferredResultProcessing(deferred);
        } catch (Exception e) {
            throw new ServletException("Asynchronous processing could not be started", e);
        }
        answer.thenAccept(deferred::setResult);
    }

    /** @param result a {@link WebhookAnswer}, or what failed while the request waited */
    private static void answer(HttpServletResponse response, @Nullable Object result) throws IOException {
        WebhookAnswer answer = result instanceof WebhookAnswer given ? given : STILL_RUNNING;
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
