// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.http.ApiGate;
import dev.semel.journal.Journal;
import dev.semel.journal.inbox.Inbox;
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
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;
import dev.semel.server.http.ClientAddresses;
import dev.semel.server.http.ConnectionLimitTransport;
import dev.semel.server.http.HttpListener;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Resource;
import dev.semel.server.ledger.LedgerResource;
import dev.semel.server.pages.DatabaseHealthCheck;
import dev.semel.server.pages.DocsResource;
import dev.semel.server.pages.HealthCheck;
import dev.semel.server.pages.HealthResource;
import dev.semel.server.pages.RedisHealthCheck;
import dev.semel.server.proxy.ApiResource;
import dev.semel.server.storage.Engine;
import dev.semel.server.storage.Storage;
import dev.semel.server.webhooks.InboxResource;
import dev.semel.server.webhooks.WebhookGates;
import dev.semel.server.webhooks.WebhookResource;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private final DatabaseHealthCheck databaseHealth;
    private final Vertx vertx;
    private final HttpListener http;
    private int port;

    private SemelServer(
            Settings settings,
            Storage storage,
            Engine engine,
            Journal journal,
            Optional<Inbox> inbox,
            WebhookGates gates) {
        this.settings = settings;
        this.storage = storage;
        this.engine = engine;
        this.journal = journal;
        this.inbox = inbox;
        this.gates = gates;
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
        this.http = new HttpListener(vertx, settings, resources(), addresses);
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
        List<Resource> all = new ArrayList<>(List.of(
                new ClaimsResource(handler, requests),
                new SettlementsResource(engine.semel(), sender, results, rate),
                new StepsResource(handler, requests, settings.ttl().step()),
                new PaymentsResource(handler, requests, settings.ttl().idempotency()),
                new LedgerResource(journal.ledger(), rate, settings),
                new CallsResource(journal.calls(), rate, settings),
                new WebhookResource(gates, rate),
                new HealthResource(checks, this::stopping),
                new DocsResource()));
        if (!settings.routes().isEmpty()) {
            all.add(new ApiResource(vertx, new ApiGate(engine.semel()), rate, settings));
        }
        inbox.ifPresent(events -> all.add(new InboxResource(events, gates)));
        return all;
    }

    private void onWorker(Runnable work) {
        vertx.executeBlocking(
                () -> {
                    work.run();
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
        logWarnings(settings);
        Storage storage = Storage.open(settings.database());
        Engine engine;
        Journal journal;
        Optional<Inbox> inbox;
        WebhookGates gates;
        try {
            engine = Engine.on(storage, settings);
            journal = storage.journal(settings, engine.caches().replays(), engine.secrets());
            inbox = storage.hasInbox() ? Optional.of(journal.inbox()) : Optional.empty();
            gates = new WebhookGates(engine.semel(), settings, inbox);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
        SemelServer server = new SemelServer(settings, storage, engine, journal, inbox, gates);
        try {
            server.port = await(server.http.start(eventLoops()), LONGEST_START);
            return server;
        } catch (IOException e) {
            server.close();
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
                        .log("Unverified events of this site are accepted. Set a secret in calls.sites");
            }
        });
    }

    public int port() {
        return port;
    }

    /** Returns whether the server is stopping and refuses new requests. */
    public boolean stopping() {
        return http.stopping();
    }

    /** Refuses new requests, waits up to {@code server.drain_seconds} for running ones, and closes everything. */
    @Override
    public void close() {
        Duration bound = settings.server().drain();
        try {
            await(http.stop(bound), bound.plusSeconds(5));
            await(vertx.close(), Duration.ofSeconds(5));
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("Some connections were still open when the drain time ended");
        } finally {
            journal.close();
            engine.close();
            databaseHealth.close();
            storage.close();
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
