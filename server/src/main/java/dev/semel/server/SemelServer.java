// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import dev.semel.admin.CleanupSchedule;
import dev.semel.server.alerts.AlertMonitor;
import dev.semel.server.calls.CallVerification;
import dev.semel.server.cleanup.ConfiguredCleanup;
import dev.semel.server.config.ConfigException;
import dev.semel.server.config.Settings;
import dev.semel.server.http.ClientAddresses;
import dev.semel.server.http.ConnectionLimitTransport;
import dev.semel.server.http.HttpListener;
import dev.semel.server.http.LiveTokens;
import dev.semel.server.http.Resource;
import dev.semel.server.pages.DatabaseHealthCheck;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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
    private final ServerParts parts;
    private final CleanupSchedule cleanup;
    private final LiveTokens tokens;
    private final CallVerification callers;
    private final DatabaseHealthCheck databaseHealth;
    private final Vertx vertx;
    private final ServerResources resources;
    private final HttpListener http;
    private final Optional<AlertMonitor> monitor;
    private int port;

    /** The settings in effect, after reloads. */
    private volatile Settings shown;

    /** Whether the server is about to stop, but may still serve. */
    private volatile boolean leaving;

    private SemelServer(ServerParts parts, Set<String> features) {
        this.parts = parts;
        this.settings = parts.settings();
        this.shown = settings;
        this.cleanup = ConfiguredCleanup.schedule(
                ConfiguredCleanup.of(
                        parts.storage(),
                        parts.journal(),
                        settings.cleanup(),
                        parts.engine().listeners()),
                settings.cleanup());
        this.tokens = new LiveTokens(settings.tokens());
        this.callers = new CallVerification(settings);
        this.databaseHealth = new DatabaseHealthCheck(parts.storage().epoch());
        ClientAddresses addresses =
                new ClientAddresses(settings.limits(), settings.server().trustedProxies());
        // Vert.x serves no files, so it needs no cache folder.
        this.vertx = Vertx.builder()
                .with(new VertxOptions()
                        .setEventLoopPoolSize(eventLoops())
                        .setFileSystemOptions(new FileSystemOptions()
                                .setFileCachingEnabled(false)
                                .setClassPathResolvingEnabled(false)))
                .withTransport(new ConnectionLimitTransport(addresses))
                .build();
        String instance = UUID.randomUUID().toString();
        this.resources = new ServerResources(
                parts,
                vertx,
                cleanup,
                tokens,
                callers,
                databaseHealth,
                () -> shown,
                this::stopping,
                instance,
                Set.copyOf(features));
        this.http = new HttpListener(
                vertx,
                settings,
                tokens,
                resources.all(),
                addresses,
                parts.metrics().http(),
                parts.tracing().http());
        this.monitor = settings.alerts().webhook().map(webhook -> new AlertMonitor(parts.alerts(), instance, webhook));
    }

    /** All resources of the HTTP API. */
    List<Resource> resources() {
        return resources.all();
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
        SemelServer server = new SemelServer(ServerParts.open(settings), features);
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
        parts.gates().reload(next);
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
     * Stops in three steps: reports that it is not ready for {@code drain.delay_seconds} while it still serves, so that
     * balancers send new requests elsewhere; refuses new requests and waits up to {@code drain.seconds} for running
     * ones; closes everything.
     */
    @Override
    public void close() {
        leaving = true;
        boolean interrupted = !paused(settings.server().drainDelay());
        Duration bound = settings.server().drain();
        // Consumers that wait for events receive an empty answer, so that the drain does not wait for them.
        parts.journal().ifPresent(journal -> journal.inbox().endWaits());
        try {
            await(http.stop(bound), bound.plusSeconds(5));
            await(vertx.close(), Duration.ofSeconds(5));
        } catch (IOException e) {
            LOG.atWarn().setCause(e).log("Some connections were still open when the drain time ended");
        } finally {
            monitor.ifPresent(AlertMonitor::close);
            cleanup.close();
            databaseHealth.close();
            parts.close();
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
