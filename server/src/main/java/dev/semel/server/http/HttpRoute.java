// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.payload.json.Json;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A route: one method of one path, with its access rule and its handler.
 *
 * @param parameters the query parameters that it knows; others are refused
 */
public record HttpRoute(String method, String path, RouteAccess access, Set<String> parameters, Handling work) {
    /** Senders of webhooks add parameters of their own to the URL that they were given. */
    private static final String WEBHOOKS = "/webhooks/";

    public HttpRoute {
        parameters = Set.copyOf(parameters);
    }

    /** Returns whether unknown query parameters are refused. */
    boolean refusesOtherParameters() {
        return !(work instanceof Proxied) && !(work instanceof Unserved) && !path.startsWith(WEBHOOKS);
    }

    /** How the route handles a request. */
    sealed interface Handling {}

    /** Responds without reading a body. */
    record Plain(PlainHandler handler) implements Handling {}

    /** Reads a JSON body of bounded size, then responds. */
    record WithJson(JsonHandler handler) implements Handling {}

    /** Reads a body of bounded size as raw bytes, then responds. */
    record WithBytes(BytesHandler handler) implements Handling {}

    /** Reads the body and writes the response in pieces. */
    record Streaming(StreamHandler handler) implements Handling {}

    /** Always responds with the same problem, without reading a body. */
    record Unserved(ProblemDetail problem) implements Handling {}

    /** Forwards the request to another service. */
    record Proxied(ProxyHandler handler) implements Handling {}

    /** See {@link Routes#get}. */
    public interface PlainHandler {
        CompletionStage<HttpAnswer> handle(RequestContext context);
    }

    /** See {@link Routes#post}. */
    public interface JsonHandler {
        CompletionStage<HttpAnswer> handle(RequestContext context, Json body);
    }

    /** See {@link Routes#postBytes}. */
    public interface BytesHandler {
        CompletionStage<HttpAnswer> handle(RequestContext context, byte[] body);
    }

    /** See {@link Routes#proxy}. */
    public interface ProxyHandler {
        /**
         * Handles a request on its event loop. The handler must read or pause the request before it returns.
         *
         * @return the response, or empty once it was streamed. Fails with a {@link ProblemException} if no part of a
         *     response was sent yet
         */
        CompletionStage<Optional<HttpAnswer>> handle(RequestContext context, ProxiedClient client);
    }

    /** See {@link Routes#postStream}. */
    public interface StreamHandler {
        /**
         * Handles a request on its event loop. The handler must set the request's handlers before it returns. The
         * result fails with a {@link ProblemException} if no part of a response was sent yet.
         *
         * @param progress to be called whenever data arrives; a client that sends nothing for too long is disconnected
         * @return completes when the response was sent
         */
        CompletionStage<Void> handle(RequestContext context, Runnable progress);
    }
}
