// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import java.util.concurrent.ThreadFactory;

/** Threads that do not keep the process alive. */
final class DemoThreads {
    private DemoThreads() {}

    static ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
