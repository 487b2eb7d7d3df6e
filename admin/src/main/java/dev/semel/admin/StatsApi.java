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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The routes for statistics and alerts: {@code /v1/stats} and {@code /v1/alerts}, of this process and of one tenant. */
public final class StatsApi {
    private final Alerts alerts;
    private final String instance;
    private final Function<String, List<WebhookCounts>> webhooks;

    /** @param instance the name of this process, which labels its counts */
    public StatsApi(Alerts alerts, String instance) {
        this(alerts, instance, tenant -> List.of());
    }

    /**
     * Statistics that also show webhooks.
     *
     * @param instance the name of this process, which labels its counts
     * @param webhooks the counts of a tenant's webhooks by provider
     */
    public StatsApi(Alerts alerts, String instance, Function<String, List<WebhookCounts>> webhooks) {
        this.alerts = alerts;
        this.instance = instance;
        this.webhooks = webhooks;
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
        return window().put("total", stats(alerts.statistics().total(tenant)).build())
                .put("scopes", new JsonArray(scopes))
                .put(
                        "webhooks",
                        new JsonArray(webhooks.apply(tenant).stream()
                                .map(WebhookCounts::json)
                                .toList()))
                .put("rates", rates(tenant))
                .put("today", today(tenant))
                .build();
    }

    private Json rates(String tenant) {
        return new JsonObject.Builder()
                .put("step_seconds", JsonNumber.of(RateSeries.STEP.toSeconds()))
                .put(
                        "last_step_ms",
                        JsonNumber.of(alerts.statistics().sinceStep().toMillis()))
                .put(
                        "points",
                        new JsonArray(alerts.statistics().rates(tenant).stream()
                                .map(StatsApi::point)
                                .toList()))
                .build();
    }

    private static Json point(int[] counts) {
        return new JsonArray(
                Arrays.stream(counts).<Json>mapToObj(JsonNumber::of).toList());
    }

    private Json today(String tenant) {
        DailyCount.Counted prevented = alerts.statistics().prevented(tenant);
        return new JsonObject.Builder()
                .put("since", new JsonString(prevented.since().toString()))
                .put("duplicates_prevented", JsonNumber.of(prevented.count()))
                .build();
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
        JsonObject.Builder members = new JsonObject.Builder().put("scope", new JsonString(scope));
        return stats(members, counts).build();
    }

    private static JsonObject.Builder stats(ScopeCounts counts) {
        return stats(new JsonObject.Builder(), counts);
    }

    private static JsonObject.Builder stats(JsonObject.Builder members, ScopeCounts counts) {
        JsonObject.Builder events = new JsonObject.Builder();
        for (Kind kind : Kind.values()) {
            if (counts.events().containsKey(kind)) {
                events.put(kind.name().toLowerCase(Locale.ROOT), JsonNumber.of(counts.of(kind)));
            }
        }
        return members.put("hits", JsonNumber.of(counts.hits()))
                .put("misses", JsonNumber.of(counts.misses()))
                .put("settled", JsonNumber.of(counts.settled()))
                .put("failures", JsonNumber.of(counts.failures()))
                .put("events", events.build())
                .put(
                        "run_time_ms",
                        new JsonObject(Map.of(
                                "p50", millis(counts.p50()),
                                "p95", millis(counts.p95()),
                                "p99", millis(counts.p99()))));
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
