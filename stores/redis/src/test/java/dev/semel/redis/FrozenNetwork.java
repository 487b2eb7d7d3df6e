// SPDX-License-Identifier: Apache-2.0
package dev.semel.redis;

import dev.semel.testservers.LoopbackProxy;
import dev.semel.testservers.RedisServer;
import java.io.IOException;
import org.netcrusher.core.reactor.NioReactor;
import org.netcrusher.tcp.TcpCrusher;

/** A proxy between client and Redis that can freeze: connections stay open, but no data passes. */
final class FrozenNetwork implements AutoCloseable {
    private final NioReactor reactor = new NioReactor();
    private final TcpCrusher crusher;

    FrozenNetwork(RedisServer server) throws IOException {
        crusher = LoopbackProxy.to(server.port(), reactor).buildAndOpen();
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
