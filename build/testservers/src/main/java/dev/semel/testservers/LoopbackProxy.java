// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.netcrusher.core.reactor.NioReactor;
import org.netcrusher.tcp.TcpCrusherBuilder;

/** A network between clients and a server, both on the loopback address. */
public final class LoopbackProxy {
    private LoopbackProxy() {}

    /** A proxy on a free port to this port. The caller adds filters and opens it. */
    public static TcpCrusherBuilder to(int port, NioReactor reactor) throws IOException {
        int own;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            own = free.getLocalPort();
        }
        return TcpCrusherBuilder.builder()
                .withReactor(reactor)
                .withBindAddress("127.0.0.1", own)
                .withConnectAddress("127.0.0.1", port);
    }
}
