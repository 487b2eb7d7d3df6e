// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Collects a request body up to a limit. Bytes beyond the limit are discarded, so that the client can still read the
 * response.
 */
final class BodyReader {
    private static final byte[] EMPTY = {};

    private final HttpServerRequest request;
    private final int max;
    private final MemoryCharge charge;
    private final CompletableFuture<byte[]> done = new CompletableFuture<>();
    private @Nullable Buffer collected;
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
        request.endHandler(end -> done.complete(collected == null ? EMPTY : collected.getBytes()));
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
        Buffer before = collected;
        if ((before == null ? 0 : before.length()) + part.length() > max) {
            collected = null;
            done.completeExceptionally(tooLarge());
            return;
        }
        try {
            charge.take(part.length());
        } catch (ProblemException e) {
            collected = null;
            done.completeExceptionally(e);
            return;
        }
        if (before == null) {
            // Most bodies arrive in one piece.
            collected = part;
        } else {
            Buffer whole = own ? before : before.copy();
            own = true;
            collected = whole.appendBuffer(part);
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
