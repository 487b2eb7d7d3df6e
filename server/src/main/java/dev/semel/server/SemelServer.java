// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.admin.AdminRoute;
import dev.semel.admin.AlertRule;
import dev.semel.admin.Alerts;
import dev.semel.admin.CleanupApi;
import dev.semel.admin.CleanupSchedule;
import dev.semel.admin.KeysApi;
import dev.semel.admin.StatsApi;
import dev.semel.admin.WhoAmIApi;
import dev.semel.http.ApiGate;
import dev.semel.journal.Journal;
import dev.semel.journal.inbox.Inbox;
import dev.semel.server.admin.AdminResource;
import dev.semel.server.admin.JournalRecords;
import dev.semel.server.admin.StatsStreams;
import dev.semel.server.admin.SystemApi;
import dev.semel.server.alerts.AlertMonitor;
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
import dev.semel.server.cleanup.ConfiguredCleanup;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.http.ClientAddresses;
import dev.semel.server.http.ConnectionLimitTransport;
import dev.semel.server.http.HttpListener;
import dev.semel.server.http.LiveTokens;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Resource;
import dev.semel.server.ledger.LedgerResource;
import dev.semel.server.metrics.MetricsResource;
import dev.semel.server.metrics.ServerMetrics;
import dev.semel.server.pages.ConsoleResource;
import dev.semel.server.pages.DatabaseHealthCheck;
import dev.semel.server.pages.DocsResource;
import dev.semel.server.pages.HealthCheck;
import dev.semel.server.pages.HealthResource;
import dev.semel.server.pages.RedisHealthCheck;
import dev.semel.server.proxy.ApiResource;
import dev.semel.server.storage.Engine;
import dev.semel.server.storage.SchemaMode;
import dev.semel.server.storage.Storage;
import dev.semel.server.tracing.ServerTracing;
import dev.semel.server.webhooks.InboxResource;
import dev.semel.server.webhooks.WebhookGates;
import dev.semel.server.webhooks.WebhookResource;
import dev.semel.server.webhooks.WebhookStatistics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running server, assembled from its settings: database, engine, resources and HTTP listener. */
public final class SemelServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SemelServer.class);
    private static final int MAX_LOOPS = 8;
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    private final Settings settings;
    private final Storage storage;
    private final Engine engine;
    private final Journal journal;
    private final Optional<Inbox> inbox;
    private final WebhookGates gates;
    private final WebhookStatistics webhookCounts;
    private final ServerMetrics metrics;
    private final ServerTracing tracing;
    private final CleanupSchedule cleanup;
    private final LiveTokens tokens;
    private final CallVerification callers;
    private final DatabaseHealthCheck databaseHealth;
    private final Vertx vertx;
    private final HttpListener http;

    private final Set<String> features;

    /** Names this process in its statistics. */
    private final String instance = UUID.randomUUID().toString();

    private final Optional<AlertMonitor> monitor;
    private int port;

    /** The settings in effect, after reloads. */
    private volatile Settings shown;

    /** Whether the server is about to stop, but may still serve. */
    private volatile boolean leaving;

    private SemelServer(
            Settings settings,
            Storage storage,
            Engine engine,
            Journal journal,
            Optional<Inbox> inbox,
            WebhookGates gates,
            WebhookStatistics webhookCounts,
            ServerMetrics metrics,
            ServerTracing tracing,
            Set<String> features) {
        this.features = Set.copyOf(features);
        this.settings = settings;
        this.shown = settings;
        this.storage = storage;
        this.engine = engine;
        this.journal = journal;
        this.inbox = inbox;
        this.gates = gates;
        this.webhookCounts = webhookCounts;
        this.metrics = metrics;
        this.tracing = tracing;
        this.cleanup = ConfiguredCleanup.schedule(
                ConfiguredCleanup.of(
                        storage.claims(), journal, storage.hasInbox(), settings.cleanup(), engine.listeners()),
                settings.cleanup());
        this.tokens = new LiveTokens(settings.tokens());
        this.callers = new CallVerification(settings);
        this.databaseHealth = new DatabaseHealthCheck(storage.claims());
        // Vert.x serves no files, so it needs no cache folder.
        ClientAddresses addresses =
                new ClientAddresses(settings.limits(), settings.server().trustedProxies());
        this.vertx = Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(eventLoops())
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .withTransport(new ConnectionLimitTransport(addresses))
                .build();
        this.http = new HttpListener(vertx, settings, tokens, resources(), addresses, metrics.http(), tracing.http());
        this.monitor = settings.alerts().webhook().map(webhook -> new AlertMonitor(alerts(), instance, webhook));
    }

    /**
     * Returns all resources of the HTTP API. This is the place to add an endpoint:
     *
     * <ol>
     *   <li>Write a class that implements {@link Resource} and registers its routes, such as {@link ClaimsResource}.
     *   <li>Add it to the list below.
     *   <li>Describe its routes in {@code openapi.yaml}; a test fails if one is missing.
     * </ol>
     */
    List<Resource> resources() {
        ClaimResults results = new ClaimResults(engine.secrets());
        ClaimRequests requests = new ClaimRequests(
                new InputKeys(engine.secrets()),
                settings.ttl().idempotency(),
                settings.limits().ttl());
        NewKeyRate rate = new NewKeyRate(settings.limits());
        ClaimSender sender = new ClaimSender(engine.semel(), storage.claims(), this::onWorker);
        ClaimHandler handler = new ClaimHandler(sender, results, rate);
        List<HealthCheck> checks = new ArrayList<>(List.of(databaseHealth));
        engine.caches().redis().ifPresent(redis -> checks.add(new RedisHealthCheck(redis)));
        StatsApi stats = new StatsApi(alerts(), instance, webhookCounts::of);
        List<Resource> all = new ArrayList<>(List.of(
                new ClaimsResource(handler, requests),
                new SettlementsResource(engine.semel(), sender, results, rate),
                new StepsResource(handler, requests, settings.ttl().step()),
                new PaymentsResource(handler, requests, settings.ttl().idempotency()),
                new LedgerResource(journal.ledger(), rate, settings),
                new CallsResource(journal.calls(), rate, callers, settings),
                new WebhookResource(gates, rate),
                new AdminResource(
                        new KeysApi(engine.keys(), results::storedForOperator, new JournalRecords(journal.lookup()))
                                .routes(),
                        AdminResource.PAGES,
                        this::onWorker),
                new AdminResource(operating(stats), AdminResource.SHORT, this::onWorker),
                new StatsStreams(vertx, stats::stats, this::onWorker, this::stopping),
                new MetricsResource(metrics, this::onWorker),
                new ConsoleResource(),
                new HealthResource(checks, this::stopping),
                new DocsResource()));
        if (!settings.routes().isEmpty()) {
            all.add(new ApiResource(
                    vertx,
                    new ApiGate(engine.semel(), engine.history()::differs),
                    rate,
                    settings,
                    tokens,
                    metrics.upstream(),
                    tracing.upstream()));
        }
        inbox.ifPresent(events -> all.add(new InboxResource(events, gates)));
        return all;
    }

    /** Returns the routes about this instance. Their answers are short. */
    private List<AdminRoute> operating(StatsApi stats) {
        SystemApi system = new SystemApi(() -> shown, Version.text(), instance, storage.dataSource(), engine.caches());
        return Stream.of(stats.routes(), new CleanupApi(cleanup).routes(), whoAmI().routes(), system.routes())
                .flatMap(List::stream)
                .toList();
    }

    private WhoAmIApi whoAmI() {
        List<String> all =
                new ArrayList<>(List.of("keys", "stats", "stream", "cleanup", "ledger", "calls", "health", "system"));
        if (storage.hasInbox()) {
            all.add("webhooks");
        }
        all.addAll(features);
        return new WhoAmIApi(settings.mode() == ServerMode.DEVELOPMENT, all);
    }

    private Alerts alerts() {
        Set<AlertRule> rules = EnumSet.allOf(AlertRule.class);
        rules.removeIf(rule -> settings.alerts().off().contains(rule.name().toLowerCase(Locale.ROOT)));
        return new Alerts(engine.statistics(), rules, settings.alerts().minimum());
    }

    private void onWorker(Runnable work) {
        Executor inContext = tracing.keepingContext(Runnable::run);
        vertx.executeBlocking(
                () -> {
                    inContext.execute(work);
                    return true;
                },
                false);
    }

    /**
     * Starts a server. It accepts connections when this returns.
     *
     * @throws ConfigException if the database is unavailable or the port is in use
     */
    public static SemelServer start(Settings settings) {
        return start(settings, Set.of());
    }

    /**
     * As {@link #start(Settings)}, for a console that shows more.
     *
     * @param features names of what this server offers besides
     */
    public static SemelServer start(Settings settings, Set<String> features) {
        logWarnings(settings);
        Storage storage =
                Storage.open(settings.database(), settings.server().migrate() ? SchemaMode.MIGRATE : SchemaMode.CHECK);
        Engine engine;
        Journal journal;
        Optional<Inbox> inbox;
        WebhookGates gates;
        WebhookStatistics webhookCounts = new WebhookStatistics();
        ServerMetrics metrics = new ServerMetrics(settings.metrics());
        ServerTracing tracing = ServerTracing.of(settings);
        try {
            engine = Engine.on(storage, settings, metrics.claims(), tracing.calls());
            metrics.observe(storage, engine);
            journal = storage.journal(settings, engine.caches().replays(), engine.secrets());
            inbox = storage.hasInbox() ? Optional.of(journal.inbox()) : Optional.empty();
            gates = new WebhookGates(
                    engine.semel(),
                    settings,
                    inbox,
                    notice -> {
                        webhookCounts.onNotice(notice);
                        metrics.webhooks().onNotice(notice);
                    },
                    tracing::traced);
        } catch (RuntimeException e) {
            metrics.close();
            tracing.close();
            storage.close();
            throw e;
        }
        SemelServer server = new SemelServer(
                settings, storage, engine, journal, inbox, gates, webhookCounts, metrics, tracing, features);
        try {
            server.port = await(server.http.start(eventLoops()), LONGEST_START);
            return server;
        } catch (IOException e) {
            server.close();
            if (settings.server().tls().isPresent() && !(e.getCause() instanceof BindException)) {
                throw new ConfigException(
                        "Cannot use the certificate or the key of server.tls (%s): both must be PEM files, and the key must belong to the certificate and have no password"
                                .formatted(e.getMessage()));
            }
            throw new ConfigException(
                    "Cannot listen on %s:%d (%s). Another process may use the port. Set --port or --host"
                            .formatted(
                                    settings.server().host(), settings.server().port(), e.getMessage()));
        }
    }

    private static void logWarnings(Settings settings) {
        if (settings.secret().isEmpty() && !settings.database().isSqlite()) {
            LOG.warn("This instance uses a secret of its own. Set IDEMPOTENCY_SECRET if several instances"
                    + " share the database");
        }
        settings.calls().sites().forEach((name, site) -> {
            if (site.secret().isEmpty()) {
                LOG.atWarn()
                        .addKeyValue("site", name)
                        .log("Unverified events of site {} are accepted. Set a secret in calls.sites", name);
            }
        });
    }

    public int port() {
        return port;
    }

    /**
     * Uses the tokens, webhooks and call sites of new settings and reads the certificate again, without dropping a request.
     * Other settings stay as they were at the start.
     *
     * @throws ConfigException if a webhook cannot be used; then nothing changes
     */
    public void reload(Settings next) {
        if (next.mode() != settings.mode()) {
            throw new ConfigException("Production mode cannot be changed while the server runs: restart it");
        }
        gates.reload(next);
        tokens.replace(next.tokens());
        callers.replace(next.calls());
        shown = settings.reloaded(next);
        try {
            await(http.reloadCertificate(), LONGEST_START);
        } catch (IOException e) {
            throw new ConfigException(
                    "Tokens, webhooks and call sites were reloaded, but not the certificate (%s): check the files of server.tls"
                            .formatted(e.getMessage()));
        }
        LOG.info(
                "Reloaded {} tokens, {} webhooks, {} call sites and the certificate, if any; other settings need a restart",
                next.tokens().size(),
                next.webhooks().size(),
                next.calls().sites().size());
    }

    /** Returns whether the server is about to stop. It may still serve, but its readiness says that it should not be asked. */
    public boolean stopping() {
        return leaving || http.stopping();
    }

    /**
     * Stops in three steps: reports that it is not ready for {@code server.drain_delay_seconds} while it still serves, so that
     * balancers send new requests elsewhere; refuses new requests and waits up to {@code server.drain_seconds} for running
     * ones; closes everything.
     */
    @Override
    public void close() {
        leaving = true;
        boolean interrupted = !paused(settings.server().drainDelay());
        Duration bound = settings.server().drain();
        // Consumers that wait for events receive an empty answer, so that the drain does not wait for them.
        inbox.ifPresent(Inbox::endWaits);
        try {
            await(http.stop(bound), bound.plusSeconds(5));
            await(vertx.close(), Duration.ofSeconds(5));
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("Some connections were still open when the drain time ended");
        } finally {
            monitor.ifPresent(AlertMonitor::close);
            cleanup.close();
            journal.close();
            engine.close();
            databaseHealth.close();
            metrics.close();
            tracing.close();
            storage.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns false if the thread was interrupted: somebody is in a hurry, but running requests may still finish. */
    private static boolean paused(Duration time) {
        try {
            TimeUnit.MILLISECONDS.sleep(time.toMillis());
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    private static int eventLoops() {
        return Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors()));
    }

    private static <T> T await(Future<T> future, Duration bound) throws IOException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getClass().getSimpleName(), cause);
        } catch (TimeoutException e) {
            throw new IOException("no response within " + bound.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
