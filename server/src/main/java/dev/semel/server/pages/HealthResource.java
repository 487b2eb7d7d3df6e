// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.pages;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.Resource;
import dev.semel.server.http.RouteAccess;
import dev.semel.server.http.Routes;
import dev.semel.server.pages.HealthCheck.State;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** {@code GET /health}, {@code /health/live}, {@code /health/ready}. */
public final class HealthResource implements Resource {
    private final List<HealthCheck> checks;
    private final BooleanSupplier stopping;

    /** @param stopping whether the server is stopping and refuses new requests */
    public HealthResource(List<HealthCheck> checks, BooleanSupplier stopping) {
        this.checks = List.copyOf(checks);
        this.stopping = stopping;
    }

    @Override
    public void addTo(Routes routes) {
        routes.get("/health", RouteAccess.OPEN, exchange -> ready());
        routes.get("/health/ready", RouteAccess.OPEN, exchange -> ready());
        routes.get(
                "/health/live",
                RouteAccess.OPEN,
                exchange -> CompletableFuture.completedStage(
                        HttpAnswer.json(200, new JsonObject(Map.of("status", new JsonString("up"))))));
    }

    private CompletionStage<HttpAnswer> ready() {
        Map<String, CompletableFuture<State>> asked = new LinkedHashMap<>();
        checks.forEach(check -> asked.put(check.name(), check.state().toCompletableFuture()));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> answer(asked));
    }

    private HttpAnswer answer(Map<String, CompletableFuture<State>> asked) {
        State worst = State.UP;
        Map<String, Json> found = new LinkedHashMap<>();
        for (Map.Entry<String, CompletableFuture<State>> one : asked.entrySet()) {
            State state = one.getValue().join();
            worst = state.compareTo(worst) > 0 ? state : worst;
            found.put(one.getKey(), word(state));
        }
        Map<String, Json> body = new LinkedHashMap<>();
        body.put("status", stopping.getAsBoolean() ? new JsonString("stopping") : word(worst));
        body.put("checks", new JsonObject(found));
        boolean unavailable = worst == State.DOWN || stopping.getAsBoolean();
        HttpAnswer answer = HttpAnswer.json(unavailable ? 503 : 200, new JsonObject(body));
        return unavailable ? answer.retryAfter(Duration.ofSeconds(2)) : answer;
    }

    private static JsonString word(State state) {
        return new JsonString(state.name().toLowerCase(Locale.ROOT));
    }
}
