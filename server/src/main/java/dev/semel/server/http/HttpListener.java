// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import dev.semel.server.config.TlsFiles;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Listens on one address with several event loops. Each loop has its own {@link RequestDispatcher}. */
public final class HttpListener {
    private static final int BACKLOG = 1_024;

    private final Vertx vertx;
    private final Settings settings;
    private final LiveTokens tokens;
    private final Routes routes;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final RequestDispatcher.Memory memory;
    private final HttpObserver observer;
    private final HttpTracer tracer;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

    /**
     * Creates a listener for these resources.
     *
     * @param vertx built with a {@link ConnectionLimitTransport} for the same addresses
     */
    public HttpListener(
            Vertx vertx,
            Settings settings,
            LiveTokens tokens,
            List<Resource> resources,
            ClientAddresses addresses,
            HttpObserver observer,
            HttpTracer tracer) {
        this.tokens = tokens;
        this.vertx = vertx;
        this.settings = settings;
        this.observer = observer;
        this.tracer = tracer;
        this.routes = new Routes();
        this.memory = new RequestDispatcher.Memory(new MemoryBudget(settings.limits()), addresses);
        resources.forEach(resource -> resource.addTo(routes));
    }

    /** Starts to listen and returns the port. */
    public Future<Integer> start(int loops) {
        return checkedCertificate()
                .compose(checked -> vertx.deployVerticle(Loop::new, new DeploymentOptions().setInstances(loops)))
                .map(id -> servers.get(0).actualPort());
    }

    private Future<Void> checkedCertificate() {
        try {
            if (settings.server().tls().isPresent()) {
                KeyPairCheck.check(vertx, pem(settings.server().tls().get()));
            }
            return Future.succeededFuture();
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
    }

    /** Returns whether the server is stopping and refuses new requests. */
    public boolean stopping() {
        return stopping.get();
    }

    /** Refuses new requests and waits until running requests finish or the time is over. */
    public Future<Void> stop(Duration bound) {
        stopping.set(true);
        return Future.join(servers.stream()
                        .map(server -> server.shutdown(bound.toMillis(), TimeUnit.MILLISECONDS))
                        .toList())
                .mapEmpty();
    }

    private HttpServerOptions options() {
        LimitSettings limits = settings.limits();
        HttpServerOptions options = new HttpServerOptions()
                .setMaxInitialLineLength(limits.uriBytes())
                .setMaxHeaderSize(limits.headerBytes())
                .setAcceptBacklog(BACKLOG)
                // HTTP/1.1 only; no upgrade to another protocol.
                .setHttp2ClearTextEnabled(false)
                .setDecompressionSupported(false)
                // No WebSockets: their handler would look at every request and every response.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setHandle100ContinueAutomatically(false);
        settings.server()
                .tls()
                .ifPresent(tls -> options.setSsl(true)
                        .setUseAlpn(false)
                        .setSslHandshakeTimeout(limits.headersWithin().toSeconds())
                        .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                        .setKeyCertOptions(pem(tls)));
        return options;
    }

    private static PemKeyCertOptions pem(TlsFiles tls) {
        return new PemKeyCertOptions()
                .setCertPath(tls.certificate().toAbsolutePath().toString())
                .setKeyPath(tls.key().toAbsolutePath().toString());
    }

    /** Reads the certificate again, for new connections. Fails, and keeps the old one, if the files are not valid. */
    public Future<Void> reloadCertificate() {
        if (settings.server().tls().isEmpty()) {
            return Future.succeededFuture();
        }
        ServerSSLOptions options = new ServerSSLOptions()
                .setKeyCertOptions(pem(settings.server().tls().get()));
        // The files are the same, so the options are equal: force reading them.
        return checkedCertificate()
                .compose(checked -> Future.all(servers.stream()
                        .map(server -> server.updateSSLOptions(options, true))
                        .toList()))
                .mapEmpty();
    }

    private final class Loop extends VerticleBase {
        /**
         * Returns the port for Vert.x. There, 0 gives each instance its own free port, and a negative port gives all
         * instances the same one.
         */
        private int port() {
            return settings.server().port() == 0 ? -1 : settings.server().port();
        }

        @Override
        public Future<?> start() {
            HttpServerOptions options = options();
            EventLoopConnections connections = new EventLoopConnections(vertx, settings.limits(), options);
            Identities identities =
                    settings.mode() == ServerMode.PRODUCTION ? new TokenIdentities(tokens) : new LocalIdentities();
            RequestDispatcher front = new RequestDispatcher(
                    context,
                    routes,
                    identities,
                    connections,
                    settings.limits().bodyBytes(),
                    memory,
                    stopping::get,
                    observer,
                    tracer);
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(connections::opened)
                    .invalidRequestHandler(front::invalid)
                    .requestHandler(front::handle);
            servers.add(server);
            // Pass the host: listen(port) alone would listen on all interfaces.
            return server.listen(port(), settings.server().host());
        }
    }
}
