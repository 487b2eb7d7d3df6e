// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.metrics;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.ClaimListener;
import dev.semel.journal.JournalListener;
import dev.semel.micrometer.JournalMetrics;
import dev.semel.micrometer.SemelMetrics;
import dev.semel.micrometer.WebhookMetrics;
import dev.semel.replay.ProcessReplayCache;
import dev.semel.replay.TieredReplayCache;
import dev.semel.server.config.MetricsSettings;
import dev.semel.server.http.HttpObserver;
import dev.semel.server.proxy.UpstreamObserver;
import dev.semel.server.storage.Engine;
import dev.semel.server.storage.Storage;
import dev.semel.webhooks.WebhookListener;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** All metrics of the server. docs/metrics.md lists them. No label contains a key, a token, an actor or a path. */
public final class ServerMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final SemelMetrics claims;
    private final WebhookMetrics webhooks = WebhookMetrics.on(registry);
    private final JournalMetrics journal = JournalMetrics.on(registry);
    private final HttpMeters http = new HttpMeters(registry);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private volatile @Nullable StoreGauges gauges;

    public ServerMetrics(MetricsSettings settings) {
        this.claims = settings.tenant() ? SemelMetrics.byTenant() : new SemelMetrics();
        claims.bindTo(registry);
        collections.bindTo(registry);
        new JvmInfoMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Counts claims. */
    public ClaimListener claims() {
        return claims;
    }

    /** Counts webhooks. */
    public WebhookListener webhooks() {
        return webhooks;
    }

    /** Counts ledger entries and call events. */
    public JournalListener journal() {
        return journal;
    }

    /** Counts requests. */
    public HttpObserver http() {
        return http;
    }

    /** Counts requests to proxied services. */
    public UpstreamObserver upstream() {
        return http;
    }

    /** Adds what the engine and the store know. */
    public void observe(Storage storage, Engine engine) {
        // In DynamoDB, every scrape would have a price.
        storage.sql().ifPresent(sql -> {
            if (sql.dataSource() instanceof HikariDataSource pool) {
                pool.setMetricRegistry(registry);
            }
            gauges = new StoreGauges(sql.claims(), engine.statistics(), registry, System::nanoTime);
        });
        ProcessReplayCache process = engine.caches().process();
        cache("process", "hit", process, ProcessReplayCache::hits);
        cache("process", "miss", process, ProcessReplayCache::misses);
        engine.caches().tiers().ifPresent(tiers -> {
            cache("shared", "hit", tiers, TieredReplayCache::sharedHits);
            cache("shared", "miss", tiers, TieredReplayCache::misses);
        });
    }

    private <T> void cache(String tier, String result, T cache, ToDoubleFunction<T> count) {
        FunctionCounter.builder("idempotency.cache", cache, count)
                .description("Look-ups in the caches of results")
                .tag("tier", tier)
                .tag("result", result)
                .register(registry);
    }

    /** The metrics in Prometheus' text format. Blocks while it reads the store. */
    String scrape() {
        StoreGauges known = gauges;
        if (known != null) {
            known.refresh();
        }
        return registry.scrape();
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
