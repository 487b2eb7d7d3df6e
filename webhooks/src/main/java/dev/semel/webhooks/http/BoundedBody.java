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

/** A body of which no more than a bound is read: beyond that the connection is closed, whatever its length was said to be. */
public final class BoundedBody implements BodySubscriber<byte[]> {
    private final int most;
    private final boolean kept;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private long read;

    private BoundedBody(int most, boolean kept) {
        this.most = most;
        this.kept = kept;
    }

    /** The body; one that is longer fails the exchange. */
    public static BodyHandler<byte[]> of(int most) {
        return answer -> new BoundedBody(most, true);
    }

    /** No body: it is read so that the connection can be used again, and given up if it is longer. */
    public static BodyHandler<byte[]> discarding(int most) {
        return answer -> new BoundedBody(most, false);
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
            if (read <= most && kept) {
                byte[] next = new byte[buffer.remaining()];
                buffer.get(next);
                bytes.writeBytes(next);
            }
        }
        Flow.Subscription given = subscription;
        if (given == null) {
            return;
        }
        if (read <= most) {
            given.request(1);
            return;
        }
        given.cancel();
        if (kept) {
            body.completeExceptionally(new IOException("The body has more than " + most + " bytes"));
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
