// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.admin;

import dev.semel.ClaimListener;
import dev.semel.SemelBuilder;
import dev.semel.admin.AdminRoute;
import dev.semel.admin.AlertRule;
import dev.semel.admin.Alerts;
import dev.semel.admin.ClaimStatistics;
import dev.semel.admin.Cleanup;
import dev.semel.admin.CleanupApi;
import dev.semel.admin.CleanupSchedule;
import dev.semel.admin.CleanupTimes;
import dev.semel.admin.HistoryRecorder;
import dev.semel.admin.Keys;
import dev.semel.admin.KeysApi;
import dev.semel.admin.StatsApi;
import dev.semel.admin.WhoAmIApi;
import dev.semel.claim.StoredResult;
import dev.semel.key.Secrets;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.HistoryStore;
import dev.semel.spi.JobLeases;
import dev.semel.spring.CurrentTenant;
import dev.semel.spring.InvalidSetupException;
import dev.semel.spring.SemelAutoConfiguration;
import dev.semel.spring.SemelCustomizer;
import dev.semel.spring.SemelProperties;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Serves the admin API if {@code semel.admin.enabled} is set. The application's security protects it. */
@AutoConfiguration(before = SemelAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnProperty("semel.admin.enabled")
@EnableConfigurationProperties(AdminProperties.class)
public final class AdminAutoConfiguration {
    private static final String JSON = "application/json";

    @Bean
    static ClaimStatistics semelClaimStatistics(AdminProperties properties) {
        return new ClaimStatistics(properties.window());
    }

    @Bean
    static HistoryRecorder semelHistoryRecorder(ClaimStore store) {
        if (store instanceof HistoryStore history) {
            return new HistoryRecorder(history);
        }
        throw new InvalidSetupException(
                "semel.admin.enabled is set, but the store %s has no history."
                        .formatted(store.getClass().getName()),
                "Implement ClaimBrowser and HistoryStore in the store, or remove semel.admin.enabled.");
    }

    /** Deletes old history, which the engine's own sweep does not know. */
    @Bean
    static CleanupSchedule semelCleanupSchedule(
            ClaimStore store, AdminProperties properties, ObjectProvider<ClaimListener> listeners) {
        if (!(store instanceof JobLeases)) {
            throw new InvalidSetupException(
                    "semel.admin.enabled is set, but the store %s has no jobs, which the cleanup of the history needs."
                            .formatted(store.getClass().getName()),
                    "Implement JobLeases in the store, or remove semel.admin.enabled.");
        }
        Cleanup cleanup = Cleanup.of(
                store,
                properties.keepHistory(),
                properties.keepDecisions(),
                List.of(),
                listeners.orderedStream().toList());
        return CleanupSchedule.start(cleanup, new CleanupTimes.Every(properties.cleanupEvery()));
    }

    /** The cleanup also deletes expired claims. First, so that a customizer of the application can differ. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static SemelCustomizer semelSweepByCleanup() {
        return SemelBuilder::withoutSweep;
    }

    @Bean
    static RouterFunction<ServerResponse> semelAdminRoutes(
            ClaimStore store,
            CleanupSchedule cleanup,
            Secrets secrets,
            ClaimStatistics statistics,
            AdminProperties properties,
            SemelProperties engine,
            ObjectProvider<CurrentTenant> tenants) {
        Alerts alerts = new Alerts(statistics, EnumSet.allOf(AlertRule.class), properties.minimumEvents());
        List<AdminRoute> routes = new ArrayList<>();
        routes.addAll(
                new KeysApi(Keys.on(store, secrets), (ref, json) -> new StoredResult(JSON, json.utf8())).routes());
        routes.addAll(new StatsApi(alerts, UUID.randomUUID().toString()).routes());
        routes.addAll(new CleanupApi(cleanup).routes());
        routes.addAll(new WhoAmIApi(false, List.of("keys", "stats", "cleanup")).routes());
        CurrentTenant tenant = tenants.getIfAvailable(() -> engine::tenant);
        return new AdminEndpoint(properties, tenant).of(routes);
    }
}
