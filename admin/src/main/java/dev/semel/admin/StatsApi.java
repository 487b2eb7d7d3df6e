// SPDX-License-Identifier: Apache-2.0
package dev.semel.admin;

import dev.semel.ClaimEvent.Kind;
import dev.semel.admin.AdminRoute.Access;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The routes for statistics and alerts: {@code /v1/stats} and {@code /v1/alerts}, of this process and of one tenant. */
public final class StatsApi {
    private final Alerts alerts;
    private final String instance;

    /** @param instance the name of this process, which labels its counts */
    public StatsApi(Alerts alerts, String instance) {
        this.alerts = alerts;
        this.instance = instance;
    }

    /** All routes. */
    public List<AdminRoute> routes() {
        return List.of(
                new AdminRoute("GET", "/v1/stats", Access.LOOK, Set.of(), request -> stats(request.tenant())),
                new AdminRoute("GET", "/v1/alerts", Access.LOOK, Set.of(), request -> alerts(request.tenant())));
    }

    /** The statistics of a tenant. */
    public Json stats(String tenant) {
        List<Json> scopes = new ArrayList<>();
        alerts.statistics().of(tenant).forEach((scope, counts) -> scopes.add(stats(scope, counts)));
        return window().put("scopes", new JsonArray(scopes)).build();
    }

    private JsonObject.Builder window() {
        return new JsonObject.Builder()
                .put("instance", new JsonString(instance))
                .put("of_all_instances", new JsonBoolean(false))
                .put(
                        "window_seconds",
                        JsonNumber.of(alerts.statistics().window().toSeconds()));
    }

    private static Json stats(String scope, ScopeCounts counts) {
        JsonObject.Builder events = new JsonObject.Builder();
        for (Kind kind : Kind.values()) {
            if (counts.events().containsKey(kind)) {
                events.put(kind.name().toLowerCase(Locale.ROOT), JsonNumber.of(counts.of(kind)));
            }
        }
        return new JsonObject.Builder()
                .put("scope", new JsonString(scope))
                .put("hits", JsonNumber.of(counts.hits()))
                .put("misses", JsonNumber.of(counts.misses()))
                .put("settled", JsonNumber.of(counts.settled()))
                .put("failures", JsonNumber.of(counts.failures()))
                .put("events", events.build())
                .put(
                        "run_time_ms",
                        new JsonObject(Map.of(
                                "p50", millis(counts.p50()),
                                "p95", millis(counts.p95()),
                                "p99", millis(counts.p99()))))
                .build();
    }

    private Json alerts(String tenant) {
        return window().put("minimum_events", JsonNumber.of(alerts.minimum()))
                .put(
                        "alerts",
                        new JsonArray(alerts.firing(tenant).stream()
                                .map(StatsApi::alert)
                                .toList()))
                .build();
    }

    /** An alert as {@code /v1/alerts} shows it. */
    public static Json alert(Alert alert) {
        return new JsonObject.Builder()
                .put("alert", new JsonString(alert.rule().name().toLowerCase(Locale.ROOT)))
                .put("scope", new JsonString(alert.scope()))
                .put("value", decimal(alert.value(), 4))
                .put("threshold", decimal(alert.rule().threshold(), 4))
                .put("fires", new JsonString(alert.rule().firesAbove() ? "above" : "below"))
                .build();
    }

    private static Json millis(Duration duration) {
        return decimal(duration.toNanos() / 1e6, 3);
    }

    private static Json decimal(double value, int digits) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
        return new JsonNumber(rounded.stripTrailingZeros().toPlainString());
    }
}
