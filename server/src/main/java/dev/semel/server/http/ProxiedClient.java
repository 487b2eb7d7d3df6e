// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The client side of a proxied request: its body and its deadlines. Used only on the client's event loop. */
public final class ProxiedClient {
    private final RequestLifecycle lifecycle;
    private final RequestContext context;

    ProxiedClient(RequestLifecycle lifecycle, RequestContext context) {
        this.lifecycle = lifecycle;
        this.context = context;
    }

    /** Reads the whole body. It must arrive in time and have at most {@code max} bytes. */
    public CompletionStage<byte[]> body(int max) {
        BodyReader reader = BodyReader.read(context.request(), max, context.charge());
        lifecycle.connection().reading(reader.body());
        CompletableFuture<byte[]> body = reader.body();
        return body.whenComplete((bytes, failure) -> working());
    }

    /** Restarts the deadline after data went to or came from the client. A client without progress is disconnected. */
    public void progress() {
        lifecycle.connection().answering();
    }

    /** Stops the deadline while nothing is expected of the client. */
    public void working() {
        lifecycle.connection().working();
    }

    /** Sends 100 Continue to a client that expects it. */
    public void readyForBody() {
        if (context.request().headers().contains(HeaderNames.EXPECT)) {
            context.request().response().writeContinue();
        }
    }

    /** Returns whether the request has a body, even if it has not arrived yet. */
    public boolean sendsBody() {
        return RequestValidation.hasBody(context.request());
    }

    /** Returns the remote address of the connection. */
    public String address() {
        return context.request().remoteAddress().hostAddress();
    }
}
