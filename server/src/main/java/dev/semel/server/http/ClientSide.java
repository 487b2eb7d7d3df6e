// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The client of a request that is sent on: its body, and how long it may take. Only its event loop touches it. */
public final class ClientSide {
    private final Turn turn;
    private final Exchange exchange;

    ClientSide(Turn turn, Exchange exchange) {
        this.turn = turn;
        this.exchange = exchange;
    }

    /** The whole body, which must arrive in time and have at most so many bytes. */
    public CompletionStage<byte[]> body(int most) {
        BodyReader reader = BodyReader.read(exchange.request(), most, exchange.charge());
        turn.watched().reading(reader.body());
        CompletableFuture<byte[]> body = reader.body();
        return body.whenComplete((bytes, failure) -> working());
    }

    /** Something went to the client, or came from it: it is cut off if nothing does for too long. */
    public void progress() {
        turn.watched().answering();
    }

    /** Nothing is expected of the client for now. */
    public void working() {
        turn.watched().working();
    }

    /** Tells a client that waits for it to send its body. */
    public void readyForBody() {
        if (exchange.request().headers().contains(HeaderNames.EXPECT)) {
            exchange.request().response().writeContinue();
        }
    }

    /** Whether the request has a body, be it on its way. */
    public boolean sendsBody() {
        return RequestRules.hasBody(exchange.request());
    }

    /** The address that the connection came from. */
    public String address() {
        return exchange.request().remoteAddress().hostAddress();
    }
}
