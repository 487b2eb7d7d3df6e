// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a response body up to a maximum size. If it is longer, the connection is closed, regardless of its declared length. */
public final class BoundedBody implements BodySubscriber<byte[]> {
    private final int maxBytes;
    private final boolean kept;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long read;

    private BoundedBody(int maxBytes, boolean kept) {
        this.maxBytes = maxBytes;
        this.kept = kept;
    }

    /** Keeps the body. A longer one fails the exchange. */
    public static BodyHandler<byte[]> of(int maxBytes) {
        return answer -> new BoundedBody(maxBytes, true);
    }

    /** Discards the body. It is read so that the connection can be reused; a longer one closes the connection. */
    public static BodyHandler<byte[]> discarding(int maxBytes) {
        return answer -> new BoundedBody(maxBytes, false);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            read += buffer.remaining();
            if (read <= maxBytes && kept) {
                byte[] next = new byte[buffer.remaining()];
                buffer.get(next);
                bytes.writeBytes(next);
            }
        }
        Flow.Subscription given = subscription;
        if (given == null) {
            return;
        }
        if (read <= maxBytes) {
            given.request(1);
            return;
        }
        given.cancel();
        if (kept) {
            body.completeExceptionally(new IOException("The body has more than " + maxBytes + " bytes"));
        } else {
            body.complete(new byte[0]);
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
