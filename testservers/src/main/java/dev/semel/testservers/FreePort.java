// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port on 127.0.0.1 that nobody listens on.
 *
 * <p>It lies below the ports that the system gives to outgoing connections. Were it one of those, then while a killed
 * server is down some connection could take it, and even a client that tries to reach the dead server could: its
 * connection would get that very port as its own end, and succeed, to itself.
 */
final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int BEYOND = 32_000;
    private static final int TRIES = 100;

    private FreePort() {}

    static int choose() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port among %d tried".formatted(TRIES));
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, Loopback.address())) {
            return probe.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
