// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.http.ApiDoor;
import dev.semel.journal.Journal;
import dev.semel.journal.inbox.Inbox;
import dev.semel.server.api.ApiResource;
import dev.semel.server.calls.CallsResource;
import dev.semel.server.claims.ClaimDoor;
import dev.semel.server.claims.ClaimRequests;
import dev.semel.server.claims.ClaimResults;
import dev.semel.server.claims.Claiming;
import dev.semel.server.claims.ClaimsResource;
import dev.semel.server.claims.InputKeys;
import dev.semel.server.claims.PaymentsResource;
import dev.semel.server.claims.SettlementsResource;
import dev.semel.server.claims.StepsResource;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;
import dev.semel.server.http.Addresses;
import dev.semel.server.http.GuardedTransport;
import dev.semel.server.http.HttpServing;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.Resource;
import dev.semel.server.ledger.LedgerResource;
import dev.semel.server.pages.DatabaseHealth;
import dev.semel.server.pages.DocsResource;
import dev.semel.server.pages.HealthCheck;
import dev.semel.server.pages.HealthResource;
import dev.semel.server.pages.RedisHealthCheck;
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

/** A running server, put together from its settings: database, engine, resources, HTTP. */
public final class SemelServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SemelServer.class);
    private static final int MAX_LOOPS = 8;
    private static final Duration LONGEST_START = Duration.ofSeconds(30);

    private final Settings settings;
    private final Storage storage;
    private final Engine engine;
    private final Journal records;
    private final Optional<Inbox> inbox;
    private final WebhookGates gates;
    private final DatabaseHealth databaseHealth;
    private final Vertx vertx;
    private final HttpServing http;
    private int port;

    private SemelServer(
            Settings settings,
            Storage storage,
            Engine engine,
            Journal records,
            Optional<Inbox> inbox,
            WebhookGates gates) {
        this.settings = settings;
        this.storage = storage;
        this.engine = engine;
        this.records = records;
        this.inbox = inbox;
        this.gates = gates;
        this.databaseHealth = new DatabaseHealth(storage.claims());
        // Nothing is read from files, so no folder for copies of them is needed.
        Addresses addresses = new Addresses(settings.limits(), settings.server().trustedProxies());
        this.vertx = Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(loops())
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .withTransport(new GuardedTransport(addresses))
                .build();
        this.http = new HttpServing(vertx, settings, resources(), addresses);
    }

    /** All of the API, a class a resource: the place to add one. */
    List<Resource> resources() {
        ClaimResults results = new ClaimResults(engine.secrets());
        ClaimRequests requests = new ClaimRequests(
                new InputKeys(engine.secrets()),
                settings.ttl().idempotency(),
                settings.limits().ttl());
        NewKeyRate rate = new NewKeyRate(settings.limits());
        Claiming claiming = new Claiming(engine.semel(), storage.claims(), this::onWorker);
        ClaimDoor door = new ClaimDoor(claiming, results, rate);
        List<HealthCheck> checks = new ArrayList<>(List.of(databaseHealth));
        engine.caches().redis().ifPresent(redis -> checks.add(new RedisHealthCheck(redis)));
        List<Resource> all = new ArrayList<>(List.of(
                new ClaimsResource(door, requests),
                new SettlementsResource(engine.semel(), claiming, results, rate),
                new StepsResource(door, requests, settings.ttl().step()),
                new PaymentsResource(door, requests, settings.ttl().idempotency()),
                new LedgerResource(records.ledger(), rate, settings),
                new CallsResource(records.calls(), rate, settings),
                new WebhookResource(gates, rate),
                new HealthResource(checks, this::stopping),
                new DocsResource()));
        if (!settings.routes().isEmpty()) {
            all.add(new ApiResource(vertx, new ApiDoor(engine.semel(), engine.secrets()), rate, settings));
        }
        inbox.ifPresent(there -> all.add(new InboxResource(there, gates)));
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
     * Starts; listens when it returns.
     *
     * @throws ConfigException if the database or the port is not to be had
     */
    public static SemelServer start(Settings settings) {
        notes(settings);
        Storage storage = Storage.open(settings.database());
        Engine engine;
        Journal records;
        Optional<Inbox> inbox;
        WebhookGates gates;
        try {
            engine = Engine.on(storage, settings);
            records = storage.records(settings, engine.caches().replays(), engine.secrets());
            inbox = storage.hasInbox() ? Optional.of(records.inbox()) : Optional.empty();
            gates = new WebhookGates(engine.semel(), engine.secrets(), settings, inbox);
        } catch (RuntimeException e) {
            storage.close();
            throw e;
        }
        SemelServer server = new SemelServer(settings, storage, engine, records, inbox, gates);
        try {
            server.port = finished(server.http.start(loops()), LONGEST_START);
            return server;
        } catch (IOException e) {
            server.close();
            throw new ConfigException("%s:%d cannot be listened on (%s): is another process there? Set --port or --host"
                    .formatted(settings.server().host(), settings.server().port(), e.getMessage()));
        }
    }

    private static void notes(Settings settings) {
        if (settings.secret().isEmpty() && !settings.database().isSqlite()) {
            LOG.warn("The secret is this instance's own: set IDEMPOTENCY_SECRET where several share the database");
        }
        settings.calls().sites().forEach((name, site) -> {
            if (site.secret().isEmpty()) {
                LOG.atWarn().addKeyValue("site", name).log("Events of this site are accepted unverified");
            }
        });
    }

    public int port() {
        return port;
    }

    /** Whether it takes no new work. */
    public boolean stopping() {
        return http.stopping();
    }

    /** Takes no new work, lets running work finish within the bound that was set, and closes everything. */
    @Override
    public void close() {
        Duration bound = settings.server().drain();
        try {
            finished(http.stop(bound), bound.plusSeconds(5));
            finished(vertx.close(), Duration.ofSeconds(5));
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("Not all connections ended in time");
        } finally {
            records.close();
            engine.close();
            databaseHealth.close();
            storage.close();
        }
    }

    private static int loops() {
        return Math.min(MAX_LOOPS, Math.max(1, Runtime.getRuntime().availableProcessors()));
    }

    private static <T> T finished(Future<T> future, Duration bound) throws IOException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(cause.getClass().getSimpleName(), cause);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + bound.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
