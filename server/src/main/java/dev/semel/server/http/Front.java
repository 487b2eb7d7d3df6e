// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.server.config.Role;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes every request of one event loop: checks it, finds its route, lets its sender in or not, reads its body, and sends
 * the answer, on this loop, from whichever thread the answer comes.
 */
final class Front {
    private static final Identity NOBODY = new Identity("default", "anonymous", Role.VIEWER);

    private final Context loop;
    private final Thread loopThread;
    private final Routes routes;
    private final Identities identities;
    private final LoopConnections connections;
    private final int maxBody;
    private final Memory memory;
    private final BooleanSupplier stopping;

    /** What requests are charged to. */
    record Memory(MemoryBudget budget, Addresses addresses) {
        Charge charge(Turn turn, boolean openRoute) {
            AddressAccount account = addresses.enterFor(turn.watched().account(), turn.request());
            return new Charge(budget, addresses, account, openRoute);
        }
    }

    /** To be made on the event loop that it is for. */
    Front(
            Context loop,
            Routes routes,
            Identities identities,
            LoopConnections connections,
            int maxBody,
            Memory memory,
            BooleanSupplier stopping) {
        this.loop = loop;
        this.loopThread = Thread.currentThread();
        this.routes = routes;
        this.identities = identities;
        this.connections = connections;
        this.maxBody = maxBody;
        this.memory = memory;
        this.stopping = stopping;
    }

    void handle(HttpServerRequest request) {
        LoopConnections.Watched watched = connections.of(request.connection());
        if (watched == null || watched.isEnding()) {
            // Ended; or sent behind a request that was refused unread, whose end is the client's word only.
            return;
        }
        watched.working();
        Turn turn = new Turn(request, watched, stopping);
        try {
            RequestRules.check(request);
            identities.admit(request);
            if (stopping.getAsBoolean() && !request.path().startsWith("/health")) {
                throw Problem.of(ProblemType.SHUTTING_DOWN, "The server is stopping; try again soon")
                        .retryAfter(Duration.ofSeconds(5))
                        .asException();
            }
            Routes.Found found = routes.find(request.method().name(), request.path());
            boolean proxied = found.route().work() instanceof Endpoint.Proxied;
            if (!proxied) {
                RequestRules.checkOwn(request);
            }
            Identity identity = letIn(request, found.route());
            Charge charge = memory.charge(turn, found.route().access() == Access.OPEN && !proxied);
            turn.begins(found.route(), charge);
            watched.chargeHead(charge);
            Exchange exchange = new Exchange(request, identity, found.parameters(), charge);
            if (!proxied) {
                exchange.checkQuery();
            }
            if (found.route().work() instanceof Endpoint.Streaming streaming) {
                stream(turn, exchange, streaming.handler());
            } else if (found.route().work() instanceof Endpoint.Proxied proxy) {
                proxy(turn, exchange, proxy.handler());
            } else {
                work(turn, exchange, found.route().work())
                        .whenComplete((ready, failure) -> onLoop(() -> turn.finish(ready, failure)));
            }
        } catch (RuntimeException e) {
            turn.finish(null, e);
        }
    }

    private Identity letIn(HttpServerRequest request, Endpoint route) {
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

    private CompletionStage<Answer> work(Turn turn, Exchange exchange, Endpoint.Work work) {
        if (work instanceof Endpoint.Plain plain) {
            return plain.handler().handle(exchange);
        }
        if (work instanceof Endpoint.WithJson) {
            JsonBodies.requireJson(exchange.request());
        }
        BodyReader reader = BodyReader.read(exchange.request(), maxBody, exchange.charge());
        return arrived(turn, reader).thenCompose(bytes -> withBody(exchange, work, bytes));
    }

    private static CompletionStage<Answer> withBody(Exchange exchange, Endpoint.Work work, byte[] bytes) {
        exchange.charge().take(JsonBodies.cost(bytes));
        return work instanceof Endpoint.WithJson json
                ? json.handler().handle(exchange, JsonBodies.parse(bytes))
                : ((Endpoint.WithBytes) work).handler().handle(exchange, bytes);
    }

    private static CompletableFuture<byte[]> arrived(Turn turn, BodyReader reader) {
        LoopConnections.Watched watched = turn.watched();
        watched.reading(reader.body());
        // In this order: whatever comes after the body sets a bound of its own.
        return reader.body().whenComplete((bytes, failure) -> watched.working());
    }

    private void stream(Turn turn, Exchange exchange, Endpoint.StreamHandler handler) {
        HttpServerRequest request = exchange.request();
        turn.watched().answering();
        // First, because it may refuse: who is told to go on would send its body.
        CompletionStage<Void> done = handler.handle(exchange, turn.watched()::answering);
        if (request.headers().contains(HeaderNames.EXPECT)
                && !done.toCompletableFuture().isCompletedExceptionally()) {
            request.response().writeContinue();
        }
        done.whenComplete((all, failure) -> onLoop(() -> {
            if (failure == null) {
                turn.streamed();
            } else if (request.response().headWritten()) {
                turn.broken();
            } else {
                turn.finish(null, failure);
            }
        }));
    }

    private void proxy(Turn turn, Exchange exchange, Endpoint.ProxyHandler handler) {
        handler.handle(exchange, new ClientSide(turn, exchange))
                .whenComplete((answer, failure) -> onLoop(() -> {
                    if (failure != null && exchange.request().response().headWritten()) {
                        turn.broken();
                    } else if (failure != null || answer.isPresent()) {
                        turn.finish(failure == null ? answer.orElseThrow() : null, failure);
                    } else {
                        turn.streamed();
                    }
                }));
    }

    private void onLoop(Runnable work) {
        if (Thread.currentThread() == loopThread) {
            work.run();
        } else {
            loop.runOnContext(later -> work.run());
        }
    }

    /** What Netty could not read. */
    void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        LoopConnections.Watched watched = connections.of(request.connection());
        if (watched == null || request.response().ended()) {
            request.connection().close();
            return;
        }
        watched.ending();
        AnswerWriter.write(request, unreadable(cause).answer(), true).onComplete(sent -> watched.lingering());
    }

    /** Only what this server's own decoder says is told: Netty's messages may quote the request. */
    private static Problem unreadable(@Nullable Throwable cause) {
        if (cause instanceof RequestDecoder.Refused refused) {
            return refused.problem();
        }
        if (cause instanceof TooLongHttpLineException) {
            return Problem.of(ProblemType.URI_TOO_LONG, "The request line is longer than limits.uri_bytes");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Problem.of(
                    ProblemType.HEADERS_TOO_LARGE, "The headers together are larger than limits.header_bytes");
        }
        return Problem.of(ProblemType.BAD_REQUEST, ProblemType.BAD_REQUEST.title());
    }
}
