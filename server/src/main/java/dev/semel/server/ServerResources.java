// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.admin.AdminRoute;
import dev.semel.admin.CleanupApi;
import dev.semel.admin.CleanupSchedule;
import dev.semel.admin.KeysApi;
import dev.semel.admin.RecordFinder;
import dev.semel.admin.StatsApi;
import dev.semel.admin.WhoAmIApi;
import dev.semel.http.ApiGate;
import dev.semel.journal.Journal;
import dev.semel.server.admin.AdminResource;
import dev.semel.server.admin.DoctorResource;
import dev.semel.server.admin.JournalRecords;
import dev.semel.server.admin.StatsStreams;
import dev.semel.server.admin.SystemApi;
import dev.semel.server.calls.CallVerification;
import dev.semel.server.calls.CallsResource;
import dev.semel.server.claims.ClaimHandler;
import dev.semel.server.claims.ClaimRequests;
import dev.semel.server.claims.ClaimResults;
import dev.semel.server.claims.ClaimSender;
import dev.semel.server.claims.ClaimsResource;
import dev.semel.server.claims.InputKeys;
import dev.semel.server.claims.PaymentsResource;
import dev.semel.server.claims.SettlementsResource;
import dev.semel.server.claims.StepsResource;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.http.LiveTokens;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Resource;
import dev.semel.server.ledger.LedgerResource;
import dev.semel.server.metrics.MetricsResource;
import dev.semel.server.pages.ConsoleResource;
import dev.semel.server.pages.DatabaseHealthCheck;
import dev.semel.server.pages.DocsResource;
import dev.semel.server.pages.HealthCheck;
import dev.semel.server.pages.HealthResource;
import dev.semel.server.pages.NeedsSqlResource;
import dev.semel.server.pages.RedisHealthCheck;
import dev.semel.server.proxy.ApiResource;
import dev.semel.server.storage.Engine;
import dev.semel.server.storage.SqlStorage;
import dev.semel.server.webhooks.InboxResource;
import dev.semel.server.webhooks.WebhookResource;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The resources of the HTTP API. This is the place to add an endpoint:
 *
 * <ol>
 *   <li>Write a class that implements {@link Resource} and registers its routes, such as {@link ClaimsResource}.
 *   <li>Add it to the list in {@link #all()}.
 *   <li>Describe its routes in {@code openapi.yaml}; a test fails if one is missing.
 * </ol>
 *
 * @param shown the settings in effect, after reloads
 * @param stopping whether the server is about to stop
 * @param instance names this process in its statistics
 * @param features names of what this server offers besides
 */
record ServerResources(
        ServerParts parts,
        Vertx vertx,
        CleanupSchedule cleanup,
        LiveTokens tokens,
        CallVerification callers,
        DatabaseHealthCheck databaseHealth,
        Supplier<Settings> shown,
        BooleanSupplier stopping,
        String instance,
        Set<String> features) {
    List<Resource> all() {
        Settings settings = parts.settings();
        Engine engine = parts.engine();
        ClaimResults results = new ClaimResults(engine.secrets());
        ClaimRequests requests = new ClaimRequests(
                new InputKeys(engine.secrets()),
                settings.ttl().idempotency(),
                settings.limits().ttl());
        NewKeyRate rate = new NewKeyRate(settings.limits());
        ClaimSender sender = new ClaimSender(engine.semel(), parts.storage().claims(), this::onWorker);
        ClaimHandler handler = new ClaimHandler(sender, results, rate);
        List<HealthCheck> checks = new ArrayList<>(List.of(databaseHealth));
        engine.caches().redis().ifPresent(redis -> checks.add(new RedisHealthCheck(redis)));
        StatsApi stats = new StatsApi(parts.alerts(), instance, parts.webhookCounts()::of);
        List<Resource> all = new ArrayList<>(List.of(
                new ClaimsResource(handler, requests),
                new SettlementsResource(engine.semel(), sender, results, rate),
                new StepsResource(handler, requests, settings.ttl().step()),
                new PaymentsResource(handler, requests, settings.ttl().idempotency()),
                new WebhookResource(parts.gates(), rate),
                new AdminResource(
                        new KeysApi(engine.keys(), results::storedForOperator, records()).routes(),
                        AdminResource.PAGES,
                        this::onWorker),
                new AdminResource(operating(stats), AdminResource.SHORT, this::onWorker),
                DoctorResource.of(shown, this::onWorker),
                new StatsStreams(vertx, stats::stats, this::onWorker, stopping),
                new MetricsResource(parts.metrics(), this::onWorker),
                new ConsoleResource(),
                new HealthResource(checks, stopping),
                new DocsResource()));
        if (!settings.routes().isEmpty()) {
            all.add(new ApiResource(
                    vertx,
                    new ApiGate(engine.semel(), engine.history()::differs),
                    rate,
                    settings,
                    tokens,
                    parts.metrics().upstream(),
                    parts.tracing().upstream()));
        }
        all.addAll(ofJournal(rate));
        return all;
    }

    /** Returns the ledger, the call events and the inbox. A database without them answers in their place what it needs. */
    private List<Resource> ofJournal(NewKeyRate rate) {
        Optional<SqlStorage> sql = parts.storage().sql();
        if (sql.isEmpty() || parts.journal().isEmpty()) {
            return List.of(new NeedsSqlResource());
        }
        Journal journal = parts.journal().get();
        Settings settings = parts.settings();
        return List.of(
                new LedgerResource(journal.ledger(), rate, settings),
                new CallsResource(journal.calls(), rate, callers, settings),
                new InboxResource(journal.inbox(), parts.gates(), sql.get().claims(), this::onWorker));
    }

    private RecordFinder records() {
        return parts.journal()
                .<RecordFinder>map(journal -> new JournalRecords(journal.lookup()))
                .orElse(RecordFinder.NONE);
    }

    /** Returns the routes about this instance. Their answers are short. */
    private List<AdminRoute> operating(StatsApi stats) {
        SystemApi system = new SystemApi(
                shown,
                Version.text(),
                instance,
                parts.storage()::product,
                parts.engine().caches());
        return Stream.of(stats.routes(), new CleanupApi(cleanup).routes(), whoAmI().routes(), system.routes())
                .flatMap(List::stream)
                .toList();
    }

    private WhoAmIApi whoAmI() {
        List<String> all =
                new ArrayList<>(List.of("keys", "stats", "stream", "cleanup", "health", "system", "webhooks"));
        if (parts.journal().isPresent()) {
            all.addAll(List.of("ledger", "calls"));
        }
        all.addAll(features);
        return new WhoAmIApi(parts.settings().mode() == ServerMode.DEVELOPMENT, all);
    }

    private void onWorker(Runnable work) {
        Executor inContext = parts.tracing().keepingContext(Runnable::run);
        vertx.executeBlocking(
                () -> {
                    inContext.execute(work);
                    return true;
                },
                false);
    }
}
