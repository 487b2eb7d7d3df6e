// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import dev.semel.payload.json.Json;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * {@code GET /v1/stream}: the statistics of a tenant as server-sent events, one each second. A client that does not accept
 * {@code text/event-stream} by name receives one event. A stream ends when its token is withdrawn. The number of streams is
 * bounded.
 */
public final class StatsStreams implements Resource {
    /** How many streams there may be, of all tenants. */
    static final int MAX_STREAMS = 64;

    /** How many streams a tenant may have. */
    static final int MAX_PER_TENANT = 8;

    static final String MEDIA_TYPE = "text/event-stream";

    /** More than the largest event: the counts of about a hundred scopes. */
    private static final int LARGEST_EVENT = 256 << 10;

    private final Vertx vertx;
    private final Function<String, Json> stats;
    private final Executor blocking;
    private final BooleanSupplier stopping;
    private final Map<String, Integer> open = new HashMap<>();

    /**
     * Creates the resource.
     *
     * @param stats returns the statistics of a tenant; it is called on the executor
     * @param stopping whether the server drains; then all streams end
     */
    public StatsStreams(Vertx vertx, Function<String, Json> stats, Executor blocking, BooleanSupplier stopping) {
        this.vertx = vertx;
        this.stats = stats;
        this.blocking = blocking;
        this.stopping = stopping;
    }

    @Override
    public void addTo(Routes routes) {
        routes.getStream("/v1/stream", RouteAccess.LOOK, this::stream, this::once);
    }

    private CompletionStage<HttpAnswer> once(RequestContext context) {
        context.charge().takeForAnswer(LARGEST_EVENT);
        return event(context.tenant()).thenApply(event -> new HttpAnswer(200, MEDIA_TYPE, event, Map.of()));
    }

    private CompletionStage<Void> stream(RequestContext context, Runnable progress) {
        context.charge().take(2L * LARGEST_EVENT);
        boolean endless = context.header("Accept")
                .filter(accept -> accept.toLowerCase(Locale.ROOT).contains(MEDIA_TYPE))
                .isPresent();
        String tenant = context.tenant();
        enter(tenant);
        BooleanSupplier last = endless ? () -> stopping.getAsBoolean() || !context.isStillAdmitted() : () -> true;
        StatsStream stream = new StatsStream(vertx, context.request().response(), () -> event(tenant), progress, last);
        return stream.start().whenComplete((end, failure) -> leave(tenant));
    }

    private CompletableFuture<byte[]> event(String tenant) {
        return CompletableFuture.supplyAsync(
                () -> ("data: " + new String(stats.apply(tenant).utf8(), StandardCharsets.UTF_8) + "\n\n")
                        .getBytes(StandardCharsets.UTF_8),
                blocking);
    }

    private synchronized void enter(String tenant) {
        int all = open.values().stream().mapToInt(Integer::intValue).sum();
        if (all >= MAX_STREAMS || open.getOrDefault(tenant, 0) >= MAX_PER_TENANT) {
            throw ProblemDetail.of(
                            ProblemType.BUSY,
                            "Too many streams are open: at most %d for a tenant and %d in all; close one, or read"
                                            .formatted(MAX_PER_TENANT, MAX_STREAMS)
                                    + " GET /v1/stats")
                    .retryAfter(Duration.ofSeconds(10))
                    .asException();
        }
        open.merge(tenant, 1, Integer::sum);
    }

    private synchronized void leave(String tenant) {
        open.computeIfPresent(tenant, (name, count) -> count > 1 ? count - 1 : null);
    }
}
