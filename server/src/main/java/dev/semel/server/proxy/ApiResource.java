// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import dev.semel.http.Admission;
import dev.semel.http.ApiAnswer;
import dev.semel.http.ApiGate;
import dev.semel.http.ApiReply;
import dev.semel.http.ApiRequest;
import dev.semel.http.ApiResult;
import dev.semel.http.Attempt;
import dev.semel.http.IdempotencyKey;
import dev.semel.server.config.AddressRange;
import dev.semel.server.config.ApiRoute;
import dev.semel.server.config.Settings;
import dev.semel.server.http.HttpAnswer;
import dev.semel.server.http.JsonBodies;
import dev.semel.server.http.LiveTokens;
import dev.semel.server.http.NewKeyRate;
import dev.semel.server.http.ProblemDetail;
import dev.semel.server.http.ProblemType;
import dev.semel.server.http.ProxiedClient;
import dev.semel.server.http.ProxyIdentities;
import dev.semel.server.http.RequestContext;
import dev.semel.server.http.Resource;
import dev.semel.server.http.Routes;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The idempotent proxy: forwards the routes of {@code api.routes} to their services. */
public final class ApiResource implements Resource {
    private static final Set<String> NEVER_FORWARDED = Set.of("CONNECT", "TRACE");

    private final Vertx vertx;
    private final ApiGate gate;
    private final NewKeyRate rate;
    private final UpstreamObserver observer;
    private final UpstreamTracer tracer;
    private final List<ApiRoute> routes;
    private final RouteIdentities identities;
    private final List<AddressRange> trustedProxies;
    private final int maxBody;

    public ApiResource(
            Vertx vertx,
            ApiGate gate,
            NewKeyRate rate,
            Settings settings,
            LiveTokens tokens,
            UpstreamObserver observer,
            UpstreamTracer tracer) {
        this.observer = observer;
        this.tracer = tracer;
        this.vertx = vertx;
        this.gate = gate;
        this.rate = rate;
        this.routes = settings.routes();
        this.identities = new RouteIdentities(ProxyIdentities.of(settings, tokens));
        this.trustedProxies = settings.server().trustedProxies();
        this.maxBody = settings.limits().bodyBytes();
    }

    @Override
    public void addTo(Routes all) {
        for (ApiRoute route : routes) {
            Upstream upstream = new Upstream(vertx, route, observer, tracer);
            all.proxy(route.pattern(), (context, client) -> handle(route, upstream, context, client));
        }
    }

    private CompletionStage<Optional<HttpAnswer>> handle(
            ApiRoute route, Upstream upstream, RequestContext context, ProxiedClient client) {
        HttpServerRequest request = context.request();
        ForwardedPath.check(request.uri(), request.path());
        RouteIdentities.requireFront(route, client.address());
        if (upgrades(request) || NEVER_FORWARDED.contains(request.method().name())) {
            throw ProblemDetail.of(ProblemType.UPGRADE_REFUSED, "Upgrades, CONNECT and TRACE are not forwarded")
                    .asException();
        }
        String method = request.method().name();
        if (!route.methods().contains(method) && route.methods().contains(method.toUpperCase(Locale.ROOT))) {
            throw ProblemDetail.of(ProblemType.BAD_REQUEST, "The method must be in upper case")
                    .asException();
        }
        Admission admission = route.methods().contains(method)
                ? Admission.of(route.rules(), request.headers().getAll(IdempotencyKey.HEADER))
                : new Admission.PassThrough();
        if (admission instanceof Admission.Refused refused) {
            return CompletableFuture.completedStage(Optional.of(HttpAnswer.of(refused.answer())));
        }
        if (admission instanceof Admission.Guarded guarded) {
            RouteIdentities.Sender sender = identities.of(route, request);
            return guarded(new ForwardedRequest(
                    route, upstream, context, client, sender, guarded.key(), new AtomicReference<>()));
        }
        return new PassThrough(context, client, upstream, isTrusted(client))
                .run()
                .<Optional<HttpAnswer>>map(streamed -> Optional.empty())
                .toCompletionStage();
    }

    /**
     * Returns whether the request asks for an upgrade. Java's HTTP client offers HTTP/2 with every request and works
     * without it, so that offer is ignored.
     */
    private static boolean upgrades(HttpServerRequest request) {
        return request.headers().getAll("Upgrade").stream().anyMatch(protocol -> !protocol.equalsIgnoreCase("h2c"));
    }

    private boolean isTrusted(ProxiedClient client) {
        return trustedProxies.stream().anyMatch(range -> range.contains(client.address()));
    }

    private CompletionStage<Optional<HttpAnswer>> guarded(ForwardedRequest call) {
        Context loop = vertx.getOrCreateContext();
        return call.client()
                .body(maxBody)
                .thenCompose(body -> {
                    call.context().charge().take(JsonBodies.cost(body));
                    return call.context()
                            .traced(() -> gate.runAsync(
                                    call.route().rules(),
                                    call.request(body),
                                    attempt -> onLoop(loop, () -> attempt(call, attempt, body))));
                })
                .thenCompose(reply -> onLoop(loop, () -> CompletableFuture.completedStage(answer(call, reply))));
    }

    /** Continues on the event loop, because the engine calls back on its own threads. */
    private <T> CompletionStage<T> onLoop(Context loop, Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Executor executor = tracer.keepingContext(task -> loop.runOnContext(now -> task.run()));
        executor.execute(() -> {
            try {
                work.get().whenComplete((value, failure) -> {
                    if (failure == null) {
                        done.complete(value);
                    } else {
                        done.completeExceptionally(failure);
                    }
                });
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private CompletionStage<ApiResult> attempt(ForwardedRequest call, Attempt attempt, byte[] body) {
        // Each attempt counts as a new key: a refused one is stored as attempt 1, so its retry is attempt 2.
        Optional<ProblemDetail> tooMany = rate.tryTake(call.sender().tenant(), 1);
        if (tooMany.isPresent()) {
            return CompletableFuture.completedStage(new ApiResult.NotSent(UpstreamProblems.answer(tooMany.get())));
        }
        ProtectedCall running = new ProtectedCall(
                call.context(),
                call.client(),
                call.upstream(),
                attempt,
                isTrusted(call.client()),
                call.route().rules().maxAnswerBytes());
        call.running().set(running);
        return running.run(body);
    }

    /** Returns what remains to be sent. Fails if a part of the response was sent and the rest is lost. */
    private static Optional<HttpAnswer> answer(ForwardedRequest call, ApiReply reply) {
        if (reply instanceof ApiReply.Streamed) {
            Optional.ofNullable(call.running().get()).ifPresent(ProtectedCall::end);
            return Optional.empty();
        }
        if (reply instanceof ApiReply.Threw threw) {
            throw new IllegalStateException("Forwarding a request failed unexpectedly", threw.failure());
        }
        if (call.context().request().response().headWritten()) {
            throw new IllegalStateException("The target closed the connection before its response was complete");
        }
        ApiAnswer answer;
        if (reply instanceof ApiReply.Replay replay) {
            call.context().charge().takeForStored(replay.bytes());
            answer = replay.answer().get();
        } else {
            answer = ((ApiReply.Answer) reply).answer();
        }
        return Optional.of(HttpAnswer.of(answer));
    }

    /** A protected request in progress. */
    private record ForwardedRequest(
            ApiRoute route,
            Upstream upstream,
            RequestContext context,
            ProxiedClient client,
            RouteIdentities.Sender sender,
            Optional<String> key,
            AtomicReference<@Nullable ProtectedCall> running) {
        ApiRequest request(byte[] body) {
            HttpServerRequest request = context.request();
            // A compressed body is fingerprinted as bytes, regardless of its content.
            boolean compressed = request.headers().contains("Content-Encoding");
            String mediaType = compressed ? null : request.headers().get("Content-Type");
            String query = request.query();
            return new ApiRequest(
                    request.method().name(),
                    request.path(),
                    query == null ? "" : query,
                    mediaType == null ? "" : mediaType,
                    body,
                    sender.tenant(),
                    sender.actor(),
                    sender.credential(),
                    key,
                    request.headers().getAll("Prefer"));
        }
    }
}
