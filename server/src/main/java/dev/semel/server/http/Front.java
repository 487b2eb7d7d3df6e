// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.claim.StoreException;
import dev.semel.server.config.Role;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every request of one event loop: checks it, finds its route, lets its sender in or not, reads its body, and sends
 * the answer, on this loop, whichever thread it comes from.
 */
final class Front {
    private static final Logger LOG = LoggerFactory.getLogger(Front.class);
    private static final Identity NOBODY = new Identity("default", "anonymous", Role.VIEWER);

    private final Context loop;
    private final Thread loopThread;
    private final Routes routes;
    private final Identities identities;
    private final Connections connections;
    private final int mostBody;
    private final BodyBudget budget;
    private final BooleanSupplier stopping;

    /** To be made on the event loop that it is for. */
    Front(
            Context loop,
            Routes routes,
            Identities identities,
            Connections connections,
            int mostBody,
            BodyBudget budget,
            BooleanSupplier stopping) {
        this.loop = loop;
        this.loopThread = Thread.currentThread();
        this.routes = routes;
        this.identities = identities;
        this.connections = connections;
        this.mostBody = mostBody;
        this.budget = budget;
        this.stopping = stopping;
    }

    void handle(HttpServerRequest request) {
        Connections.Watched watched = connections.of(request.connection());
        if (watched.isEnding()) {
            // Sent behind a request that was refused unread: where that one ended is the client's word only.
            return;
        }
        watched.working();
        try {
            RequestRules.check(request);
            identities.admit(request);
            if (stopping.getAsBoolean() && !request.path().startsWith("/health")) {
                throw Problem.of(ProblemType.SHUTTING_DOWN, "The server is stopping; try again soon")
                        .retryAfter(Duration.ofSeconds(5))
                        .asException();
            }
            Routes.Found found = routes.find(request.method().name(), request.path());
            Exchange exchange = new Exchange(request, letIn(request, found.route()), found.parameters());
            if (found.route().work() instanceof Route.Streaming streaming) {
                stream(exchange, found.route(), streaming.handler());
            } else {
                answerWith(request, found.route(), work(exchange, found.route().work()));
            }
        } catch (ProblemException e) {
            send(request, e.problem().answer());
        } catch (RuntimeException e) {
            failed(request, null, e);
        }
    }

    private Identity letIn(HttpServerRequest request, Route route) {
        if (route.access() == Access.OPEN) {
            return NOBODY;
        }
        Identity identity = identities.of(request);
        if (!route.access().allows(identity.role())) {
            throw Problem.of(
                            ProblemType.FORBIDDEN,
                            "The token's role is %s, which may not use this"
                                    .formatted(identity.role().name().toLowerCase(Locale.ROOT)))
                    .asException();
        }
        return identity;
    }

    private CompletionStage<Answer> work(Exchange exchange, Route.Work work) {
        if (work instanceof Route.Plain plain) {
            return plain.handler().handle(exchange);
        }
        if (work instanceof Route.WithJson) {
            JsonBodies.requireJson(exchange.request());
        }
        BodyReader reader = BodyReader.read(exchange.request(), mostBody, budget);
        return arrived(exchange, reader)
                .thenCompose(bytes -> withBody(exchange, work, bytes))
                .whenComplete((answer, failure) -> reader.release());
    }

    private static CompletionStage<Answer> withBody(Exchange exchange, Route.Work work, byte[] bytes) {
        return work instanceof Route.WithJson json
                ? json.handler().handle(exchange, JsonBodies.parse(bytes))
                : ((Route.WithBytes) work).handler().handle(exchange, bytes);
    }

    private CompletableFuture<byte[]> arrived(Exchange exchange, BodyReader reader) {
        Connections.Watched watched = connections.of(exchange.request().connection());
        watched.reading(reader.body());
        // In this order: whatever comes after the body sets a bound of its own.
        return reader.body().whenComplete((bytes, failure) -> watched.working());
    }

    private void stream(Exchange exchange, Route route, Route.StreamHandler handler) {
        HttpServerRequest request = exchange.request();
        // What it may hold at once: a part of the batch, and a line that has not ended.
        long share = 2L * mostBody;
        if (!budget.take(share)) {
            throw Problem.of(ProblemType.BUSY, "Too many bodies are arriving at once; nothing has run")
                    .retryAfter(Duration.ofSeconds(1))
                    .asException();
        }
        Connections.Watched watched = connections.of(request.connection());
        watched.answering();
        if (request.headers().contains(Names.EXPECT)) {
            request.response().writeContinue();
        }
        handler.handle(exchange, watched::answering)
                .whenComplete((done, failure) -> onLoop(() -> {
                    budget.giveBack(share);
                    if (failure == null) {
                        watched.answered();
                    } else if (request.response().headWritten()) {
                        // Half an answer has left: only a broken connection can say that there is no other half.
                        request.connection().close();
                    } else {
                        finish(request, route, null, failure);
                    }
                }));
    }

    private void answerWith(HttpServerRequest request, Route route, CompletionStage<Answer> answer) {
        answer.whenComplete((ready, failure) -> onLoop(() -> finish(request, route, ready, failure)));
    }

    private void onLoop(Runnable work) {
        if (Thread.currentThread() == loopThread) {
            work.run();
        } else {
            loop.runOnContext(later -> work.run());
        }
    }

    private void finish(HttpServerRequest request, Route route, @Nullable Answer ready, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ProblemException problem) {
            send(request, problem.problem().answer());
        } else if (cause instanceof StoreException away) {
            send(request, StoreProblems.of(away).answer());
        } else if (cause != null || ready == null) {
            failed(request, route, cause);
        } else {
            send(request, ready);
        }
    }

    private void failed(HttpServerRequest request, @Nullable Route route, @Nullable Throwable cause) {
        if (request.response().closed()) {
            // The client went away while it was sending: there is nobody to answer.
            return;
        }
        LOG.atError()
                .setCause(cause)
                .addKeyValue("method", request.method().name())
                .addKeyValue("route", route == null ? "none" : route.path())
                .log("A request failed");
        send(
                request,
                Problem.of(ProblemType.INTERNAL, "The server failed; its log has more")
                        .answer());
    }

    /** What Netty could not read. */
    void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        ProblemType type = cause instanceof TooLongHttpLineException
                ? ProblemType.URI_TOO_LONG
                : cause instanceof TooLongHttpHeaderException ? ProblemType.HEADERS_TOO_LARGE : ProblemType.BAD_REQUEST;
        Connections.Watched watched = connections.of(request.connection());
        if (request.response().ended()) {
            request.connection().close();
            return;
        }
        watched.ending();
        write(request, Problem.of(type, type.title()).answer(), true).onComplete(sent -> watched.lingering());
    }

    private void send(HttpServerRequest request, Answer answer) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        Connections.Watched watched = connections.of(request.connection());
        boolean unread = !request.isEnded() && RequestRules.hasBody(request);
        watched.answering();
        if (unread) {
            watched.ending();
        }
        write(request, answer, unread || stopping.getAsBoolean()).onComplete(sent -> {
            if (unread && !request.isEnded()) {
                // Closing at once could destroy the answer on its way to a client that is still sending.
                watched.lingering();
                request.endHandler(all -> request.connection().close());
            } else if (unread) {
                request.connection().close();
            } else {
                watched.answered();
            }
        });
    }

    private static Future<Void> write(HttpServerRequest request, Answer answer, boolean last) {
        HttpServerResponse response = request.response();
        response.setStatusCode(answer.status());
        response.putHeader(Names.CONTENT_TYPE, answer.mediaType());
        response.putHeader(Names.CACHE_CONTROL, Names.NO_STORE);
        response.putHeader(Names.NO_SNIFF_NAME, Names.NO_SNIFF);
        answer.headers().forEach(response::putHeader);
        if (last || request.version() == HttpVersion.HTTP_1_0) {
            response.putHeader(Names.CONNECTION, Names.CLOSE);
        }
        if (request.method().name().equals("HEAD")) {
            response.putHeader(Names.CONTENT_LENGTH, Integer.toString(answer.body().length));
            return response.end();
        }
        return response.end(Buffer.buffer(answer.body()));
    }
}
