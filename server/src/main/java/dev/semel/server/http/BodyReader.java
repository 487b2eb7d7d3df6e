// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletableFuture;

/**
 * Collects a request body up to a limit. Bytes beyond the limit are discarded, so that the client can still read the
 * response.
 */
final class BodyReader {
    private final HttpServerRequest request;
    private final int max;
    private final MemoryCharge charge;
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();
    private Buffer collected = Buffer.buffer();
    private boolean own;

    private BodyReader(HttpServerRequest request, int max, MemoryCharge charge) {
        this.request = request;
        this.max = max;
        this.charge = charge;
    }

    /** Starts to read. Call it before the request's handler returns; bytes that arrive earlier would be lost. */
    static BodyReader read(HttpServerRequest request, int max, MemoryCharge charge) {
        BodyReader reader = new BodyReader(request, max, charge);
        reader.start();
        return reader;
    }

    CompletableFuture<byte[]> body() {
        return done;
    }

    private void start() {
        // Either the body is malformed, or the client disconnected and does not receive the response.
        request.exceptionHandler(failure -> done.completeExceptionally(
                ProblemDetail.of(ProblemType.BAD_REQUEST, "The request body could not be read completely")
                        .asException()));
        request.handler(this::collect);
        request.endHandler(end -> done.complete(collected.getBytes()));
        if (declared() > max) {
            done.completeExceptionally(tooLarge());
        } else if (request.headers().contains(HeaderNames.EXPECT)) {
            request.response().writeContinue();
        }
    }

    private void collect(Buffer part) {
        if (done.isDone()) {
            return;
        }
        if (collected.length() + part.length() > max) {
            collected = Buffer.buffer();
            done.completeExceptionally(tooLarge());
            return;
        }
        try {
            charge.take(part.length());
        } catch (ProblemException e) {
            collected = Buffer.buffer();
            done.completeExceptionally(e);
            return;
        }
        if (collected.length() == 0) {
            // Most bodies arrive in one piece.
            collected = part;
            own = false;
        } else {
            if (!own) {
                collected = collected.copy();
                own = true;
            }
            collected.appendBuffer(part);
        }
    }

    private long declared() {
        String length = request.headers().get(HeaderNames.CONTENT_LENGTH);
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException e) {
            return Long.MAX_VALUE;
        }
    }

    private ProblemException tooLarge() {
        return ProblemDetail.of(ProblemType.CONTENT_TOO_LARGE, "The body must have at most %d bytes".formatted(max))
                .asException();
    }
}
