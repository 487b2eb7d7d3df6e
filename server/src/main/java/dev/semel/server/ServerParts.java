// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.admin.AlertRule;
import dev.semel.admin.Alerts;
import dev.semel.journal.Journal;
import dev.semel.server.config.Settings;
import dev.semel.server.metrics.ServerMetrics;
import dev.semel.server.storage.Engine;
import dev.semel.server.storage.SchemaMode;
import dev.semel.server.storage.Storage;
import dev.semel.server.tracing.ServerTracing;
import dev.semel.server.webhooks.WebhookGates;
import dev.semel.server.webhooks.WebhookStatistics;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a server has besides HTTP: database, engine, journal, webhook gates, metrics and tracing.
 *
 * @param journal the ledger, the call events and the inbox; empty unless the database is an SQL database
 */
record ServerParts(
        Settings settings,
        Storage storage,
        Engine engine,
        Optional<Journal> journal,
        WebhookGates gates,
        WebhookStatistics webhookCounts,
        ServerMetrics metrics,
        ServerTracing tracing)
        implements AutoCloseable {
    /** @throws dev.semel.server.config.ConfigException if the database is unavailable; then nothing stays open */
    static ServerParts open(Settings settings) {
        Storage storage =
                Storage.open(settings.database(), settings.server().migrate() ? SchemaMode.MIGRATE : SchemaMode.CHECK);
        WebhookStatistics webhookCounts = new WebhookStatistics();
        ServerMetrics metrics = new ServerMetrics(settings.metrics());
        ServerTracing tracing = ServerTracing.of(settings);
        try {
            Engine engine = Engine.on(storage, settings, metrics.claims(), tracing.calls());
            metrics.observe(storage, engine);
            Optional<Journal> journal = storage.sql().map(sql -> sql.journal(settings, engine, metrics.journal()));
            WebhookGates gates = new WebhookGates(
                    engine.semel(),
                    settings,
                    journal.map(Journal::inbox),
                    notice -> {
                        webhookCounts.onNotice(notice);
                        metrics.webhooks().onNotice(notice);
                    },
                    tracing::traced);
            return new ServerParts(settings, storage, engine, journal, gates, webhookCounts, metrics, tracing);
        } catch (RuntimeException e) {
            metrics.close();
            tracing.close();
            storage.close();
            throw e;
        }
    }

    Alerts alerts() {
        Set<AlertRule> rules = EnumSet.allOf(AlertRule.class);
        rules.removeIf(rule -> settings.alerts().off().contains(rule.name().toLowerCase(Locale.ROOT)));
        return new Alerts(engine.statistics(), rules, settings.alerts().minimum());
    }

    @Override
    public void close() {
        journal.ifPresent(Journal::close);
        engine.close();
        metrics.close();
        tracing.close();
        storage.close();
    }
}
