// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.testservers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.netcrusher.core.reactor.NioReactor;
import org.netcrusher.tcp.TcpCrusher;
import org.netcrusher.tcp.TcpCrusherBuilder;

/** A proxy between client and Redis that can freeze: connections stay open, but no data passes. */
final class FrozenNetwork implements AutoCloseable {
    private final NioReactor reactor = new NioReactor();
    private final TcpCrusher crusher;

    FrozenNetwork(RedisServer server) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        crusher = TcpCrusherBuilder.builder()
                .withReactor(reactor)
                .withBindAddress("127.0.0.1", port)
                .withConnectAddress("127.0.0.1", server.port())
                .buildAndOpen();
    }

    String uri(RedisServer server) {
        return "redis://:%s@127.0.0.1:%d"
                .formatted(server.password(), crusher.getBindAddress().getPort());
    }

    void freeze() {
        crusher.freeze();
    }

    void unfreeze() {
        crusher.unfreeze();
    }

    @Override
    public void close() {
        crusher.close();
        reactor.close();
    }
}
