// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/** {@code GET /metrics}: in development for every local client, in production for everyone with a token. */
public final class MetricsResource implements Resource {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    /** More than the largest answer: a few thousand series. */
    private static final int LARGEST_ANSWER = 4 << 20;

    private final ServerMetrics metrics;
    private final Executor blocking;

    public MetricsResource(ServerMetrics metrics, Executor blocking) {
        this.metrics = metrics;
        this.blocking = blocking;
    }

    @Override
    public void addTo(Routes routes) {
        routes.get("/metrics", RouteAccess.LOOK, this::scrape);
    }

    private CompletionStage<HttpAnswer> scrape(RequestContext context) {
        context.charge().takeForAnswer(LARGEST_ANSWER);
        return CompletableFuture.supplyAsync(
                () -> new HttpAnswer(200, TEXT, metrics.scrape().getBytes(StandardCharsets.UTF_8), Map.of()), blocking);
    }
}
