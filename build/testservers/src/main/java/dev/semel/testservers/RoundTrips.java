// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.netcrusher.core.reactor.NioReactor;
import org.netcrusher.tcp.TcpCrusher;

/**
 * A network between client and database that counts how often a client sends something and then waits for the answer. What a
 * client sends without waiting in between is one round trip.
 */
public final class RoundTrips implements AutoCloseable {
    private final NioReactor reactor = new NioReactor();
    private final TcpCrusher crusher;

    /** Clients that have sent something and have no answer yet. */
    private final Set<InetSocketAddress> waiting = ConcurrentHashMap.newKeySet();

    private final AtomicInteger count = new AtomicInteger();

    public RoundTrips(DatabaseServer server) throws IOException {
        crusher = LoopbackProxy.to(server.port(), reactor)
                .withOutgoingTransformFilterFactory(client -> bytes -> sent(client))
                .withIncomingTransformFilterFactory(client -> bytes -> waiting.remove(client))
                .buildAndOpen();
    }

    /** The port at which the server is reached by way of this network. */
    public int port() {
        return crusher.getBindAddress().getPort();
    }

    /** How many round trips all clients have made since the last call of this method. */
    public int taken() {
        return count.getAndSet(0);
    }

    private void sent(InetSocketAddress client) {
        if (waiting.add(client)) {
            count.incrementAndGet();
        }
    }

    @Override
    public void close() {
        crusher.close();
        reactor.close();
    }
}
