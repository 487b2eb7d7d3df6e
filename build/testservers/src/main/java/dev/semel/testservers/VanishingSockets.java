// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/**
 * Sockets that are never really closed, so that the server sees what it sees when a host loses power. For the setting
 * {@code socketFactory} of the drivers of PostgreSQL and MariaDB. The sockets stay open until this JVM ends.
 */
public final class VanishingSockets extends SocketFactory {
    /** Keeps the garbage collector from closing them. */
    private static final Set<Socket> OPEN = ConcurrentHashMap.newKeySet();

    @Override
    public Socket createSocket() {
        Socket socket = new Socket() {
            @Override
            public synchronized void close() {
                OPEN.add(this);
            }
        };
        OPEN.add(socket);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return createSocket(InetAddress.getByName(host), port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        Socket socket = createSocket();
        socket.connect(new InetSocketAddress(host, port));
        return socket;
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return createSocket(address, port);
    }
}
