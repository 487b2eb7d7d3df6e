// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A free port on 127.0.0.1.
 *
 * <p>It is below the range that the system uses for outgoing connections. Otherwise a connection could take the port while
 * a killed server is down. Even a client that tries to reach that server could get the port as its own local port, and
 * would then connect to itself.
 */
public final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int BEYOND = 32_000;
    private static final int TRIES = 100;
    private static final Queue<DatagramSocket> RESERVED = new ConcurrentLinkedQueue<>();

    private FreePort() {}

    public static int choose() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            // Reserved first, so that the check does not take it from a test process that is starting its server.
            if (reserve(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("None of %d ports is free".formatted(TRIES));
    }

    /**
     * The server binds its port later. Until then, and while it is down, a UDP socket with the same number keeps other test
     * processes from choosing it. The socket is closed when this process ends.
     */
    private static boolean reserve(int port) {
        try {
            RESERVED.add(new DatagramSocket(port, Loopback.address()));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, Loopback.address())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
