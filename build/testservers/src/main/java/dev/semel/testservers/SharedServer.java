// SPDX-License-Identifier: Apache-2.0
package dev.semel.testservers;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One server for all tests of this JVM. It is started at first use and closed when the JVM ends. */
final class SharedServer<T extends TestServer> {

    private final Supplier<T> start;
    private @Nullable T server;

    SharedServer(Supplier<T> start) {
        this.start = start;
    }

    synchronized T get() {
        if (server == null) {
            T started = start.get();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close, "close shared server"));
            server = started;
        }
        return server;
    }
}
