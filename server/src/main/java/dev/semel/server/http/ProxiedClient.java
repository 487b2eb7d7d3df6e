// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The client of a request that is sent on: its body, and how long it may take. Only its event loop touches it. */
public final class ProxiedClient {
    private final RequestLifecycle lifecycle;
    private final RequestContext context;

    ProxiedClient(RequestLifecycle lifecycle, RequestContext context) {
        this.lifecycle = lifecycle;
        this.context = context;
    }

    /** The whole body, which must arrive in time and have at most so many bytes. */
    public CompletionStage<byte[]> body(int max) {
        BodyReader reader = BodyReader.read(context.request(), max, context.charge());
        lifecycle.connection().reading(reader.body());
        CompletableFuture<byte[]> body = reader.body();
        return body.whenComplete((bytes, failure) -> working());
    }

    /** Something went to the client, or came from it: it is cut off if nothing does for too long. */
    public void progress() {
        lifecycle.connection().answering();
    }

    /** Nothing is expected of the client for now. */
    public void working() {
        lifecycle.connection().working();
    }

    /** Tells a client that waits for it to send its body. */
    public void readyForBody() {
        if (context.request().headers().contains(HeaderNames.EXPECT)) {
            context.request().response().writeContinue();
        }
    }

    /** Whether the request has a body, be it on its way. */
    public boolean sendsBody() {
        return RequestValidation.hasBody(context.request());
    }

    /** The address that the connection came from. */
    public String address() {
        return context.request().remoteAddress().hostAddress();
    }
}
