// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import dev.semel.payload.json.Json;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One method of one path. */
public record HttpRoute(String method, String path, RouteAccess access, Work work) {
    /** What a route does. */
    sealed interface Work {}

    /** Answers without reading a body. */
    record Plain(PlainHandler handler) implements Work {}

    /** Reads a bounded JSON body, then answers. */
    record WithJson(JsonHandler handler) implements Work {}

    /** Reads a bounded body, byte by byte as it came, then answers. */
    record WithBytes(BytesHandler handler) implements Work {}

    /** Reads its body and writes its answer piece by piece. */
    record Streaming(StreamHandler handler) implements Work {}

    /** Sends the request on to another service. */
    record Proxied(ProxyHandler handler) implements Work {}

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
         * Takes over request and response, on their event loop, and must read or pause the request before it returns.
         *
         * @return the answer; empty once one was streamed. It fails with a {@link ProblemException} where nothing of an
         *     answer has left yet
         */
        CompletionStage<Optional<HttpAnswer>> handle(RequestContext context, ProxiedClient client);
    }

    /** See {@link Routes#postStream}. */
    public interface StreamHandler {
        /**
         * Takes over request and response, on their event loop, and must set the request's handlers before it returns.
         * What it returns fails with a {@link ProblemException} where nothing of an answer has left yet.
         *
         * @param progress to be called whenever something has arrived: a client that sends nothing for too long is cut off
         * @return completes when the answer has left
         */
        CompletionStage<Void> handle(RequestContext context, Runnable progress);
    }
}
