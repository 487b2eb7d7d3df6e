// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.LimitSettings;
import dev.semel.server.config.ServerMode;
import dev.semel.server.config.Settings;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Listens on one address with a few event loops, each with a {@link RequestDispatcher} of its own. */
public final class HttpListener {
    private static final int BACKLOG = 1_024;

    private final Vertx vertx;
    private final Settings settings;
    private final Routes routes;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final RequestDispatcher.Memory memory;
    private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

    /**
     * Serves these resources.
     *
     * @param vertx with a {@link ConnectionLimitTransport} on these addresses
     */
    public HttpListener(Vertx vertx, Settings settings, List<Resource> resources, ClientAddresses addresses) {
        this.vertx = vertx;
        this.settings = settings;
        this.routes = new Routes();
        this.memory = new RequestDispatcher.Memory(new MemoryBudget(settings.limits()), addresses);
        resources.forEach(resource -> resource.addTo(routes));
    }

    /** Listens; the answer is the port. */
    public Future<Integer> start(int loops) {
        return vertx.deployVerticle(Loop::new, new DeploymentOptions().setInstances(loops))
                .map(id -> servers.get(0).actualPort());
    }

    /** Whether no new work is taken. */
    public boolean stopping() {
        return stopping.get();
    }

    /** Takes no new work, and lets running work finish within the bound. */
    public Future<Void> stop(Duration bound) {
        stopping.set(true);
        return Future.join(servers.stream()
                        .map(server -> server.shutdown(bound.toMillis(), TimeUnit.MILLISECONDS))
                        .toList())
                .mapEmpty();
    }

    private HttpServerOptions options() {
        LimitSettings limits = settings.limits();
        return new HttpServerOptions()
                .setMaxInitialLineLength(limits.uriBytes())
                .setMaxHeaderSize(limits.headerBytes())
                .setAcceptBacklog(BACKLOG)
                // HTTP/1.1 and nothing that could be negotiated away from it.
                .setHttp2ClearTextEnabled(false)
                .setDecompressionSupported(false)
                .setHandle100ContinueAutomatically(false);
    }

    private final class Loop extends VerticleBase {
        /** For Vert.x, 0 is a free port for each, and a negative one a free port for all instances together. */
        private int port() {
            return settings.server().port() == 0 ? -1 : settings.server().port();
        }

        @Override
        public Future<?> start() {
            HttpServerOptions options = options();
            EventLoopConnections connections = new EventLoopConnections(vertx, settings.limits(), options);
            Identities identities = settings.mode() == ServerMode.PRODUCTION
                    ? new TokenIdentities(settings.tokens())
                    : new LocalIdentities();
            RequestDispatcher front = new RequestDispatcher(
                    context, routes, identities, connections, settings.limits().bodyBytes(), memory, stopping::get);
            HttpServer server = vertx.createHttpServer(options)
                    .connectionHandler(connections::opened)
                    .invalidRequestHandler(front::invalid)
                    .requestHandler(front::handle);
            servers.add(server);
            // With the host: listen(port) alone would listen on every address there is.
            return server.listen(port(), settings.server().host());
        }
    }
}
