// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.server.config.ApiRoute;
import dev.semel.server.proxy.UpstreamTracer.UpstreamTrace;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.net.PemTrustOptions;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The service behind a route. Its targets are fixed at start; no part of a request can choose one. */
final class Upstream {
    /** The name that Vert.x gives its own codec in the pipeline. */
    private static final String CODEC = "codec";

    private static final int MAX_CONNECTIONS = 256;
    private static final int MAX_WAITING = 1_024;
    private static final int MAX_HEADER_BYTES = 65_536;

    /**
     * Shorter than the usual keep-alive of services, so that they do not close a connection while a request is being
     * sent.
     */
    private static final int KEEP_ALIVE_SECONDS = 3;

    private final Vertx vertx;
    private final ApiRoute route;
    private final Targets targets;
    private final HttpClient client;
    private final UpstreamObserver observer;
    private final UpstreamTracer tracer;

    Upstream(Vertx vertx, ApiRoute route, UpstreamObserver observer, UpstreamTracer tracer) {
        this.vertx = vertx;
        this.route = route;
        this.observer = observer;
        this.tracer = tracer;
        this.targets = new Targets(route.targets());
        HttpClientOptions options = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_1_1)
                .setConnectTimeout((int) route.connectWithin().toMillis())
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setMaxHeaderSize(MAX_HEADER_BYTES)
                .setDecompressionSupported(false)
                .setVerifyHost(true);
        route.caFile().ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        this.client = vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions().setHttp1MaxSize(MAX_CONNECTIONS).setMaxWaitQueueSize(MAX_WAITING))
                .withConnectHandler(Upstream::opened)
                .build();
    }

    private static void opened(HttpConnection connection) {
        // A failure is reported to the connection's request. Failures of idle connections are ignored.
        connection.exceptionHandler(broken -> {});
        ((HttpClientConnectionInternal) connection)
                .channelHandlerContext()
                .pipeline()
                .replace(CODEC, CODEC, new UpstreamCodec(new HttpDecoderConfig().setMaxHeaderSize(MAX_HEADER_BYTES)));
    }

    /** Creates a timer that fires if the service sends nothing for too long. Call it on the event loop that uses it. */
    StallTimer stallTimer(Runnable onStall) {
        return new StallTimer(vertx, route.answerWithin(), onStall);
    }

    /**
     * Schedules work on the calling event loop, after the service had time to send data.
     *
     * @return cancels the work
     */
    Runnable later(Runnable work) {
        long timer = vertx.setTimer(route.answerWithin().toMillis(), fired -> work.run());
        return () -> vertx.cancelTimer(timer);
    }

    /** Connects to the first target that accepts a connection. Fails if none does; nothing was sent then. */
    Future<HttpClientRequest> connect(HttpMethod method, String uri) {
        long started = System.nanoTime();
        UpstreamTrace trace = tracer.begin(method.name(), route.pattern().toString());
        return connect(method, uri, targets.inTryOrder(), 0)
                .onSuccess(request -> {
                    trace.passOn(request.headers());
                    request.response()
                            .onSuccess(answer -> observe(answer.statusCode(), started, trace))
                            .onFailure(lost -> observe(UpstreamObserver.NONE, started, trace));
                })
                .onFailure(refused -> observe(UpstreamObserver.NONE, started, trace));
    }

    private void observe(int status, long started, UpstreamTrace trace) {
        trace.end(status);
        observer.answered(route.pattern().toString(), status, System.nanoTime() - started);
    }

    private Future<HttpClientRequest> connect(HttpMethod method, String uri, List<Integer> order, int tried) {
        int target = order.get(tried);
        return client.request(options(targets.url(target), method, uri))
                .onSuccess(request -> targets.reached(target))
                .recover(refused -> {
                    if (!isBusy(refused)) {
                        targets.refused(target);
                    }
                    return tried + 1 < order.size()
                            ? connect(method, uri, order, tried + 1)
                            : Future.failedFuture(refused);
                });
    }

    /**
     * Returns whether the request got no connection because all are in use. An unreachable target fails differently,
     * because its connection attempt times out before the request stops waiting.
     */
    static boolean isBusy(Throwable failure) {
        return failure instanceof ConnectionPoolTooBusyException || failure instanceof TimeoutException;
    }

    private RequestOptions options(URI target, HttpMethod method, String uri) {
        boolean tls = target.getScheme().equalsIgnoreCase("https");
        int port = target.getPort() > 0 ? target.getPort() : tls ? 443 : 80;
        String base = target.getRawPath() == null ? "" : target.getRawPath();
        return new RequestOptions()
                .setMethod(method)
                .setHost(target.getHost())
                .setPort(port)
                .setSsl(tls)
                .setURI((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + uri)
                // Limits the wait for a pooled connection. The time for a target to accept a connection has its own
                // limit.
                .setConnectTimeout(2 * route.connectWithin().toMillis())
                .setFollowRedirects(false);
    }
}
