// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port on 127.0.0.1 that nobody listens on.
 *
 * <p>It lies below the ports that the system gives to outgoing connections. Were it one of those, then while a killed
 * server is down some connection could take it, and even a client that tries to reach the dead server could: its
 * connection would get that very port as its own end, and succeed, to itself.
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
            // First reserved, so that looking does not take it from a test process that is starting its server.
            if (reserve(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port among %d tried".formatted(TRIES));
    }

    /**
     * The server binds its port only later. Until then, and while it is down, a UDP socket with the same number keeps other
     * test processes from choosing it. It ends with this process.
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
