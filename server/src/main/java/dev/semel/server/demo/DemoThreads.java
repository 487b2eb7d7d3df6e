// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.demo;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Threads that do not keep the process alive. */
final class DemoThreads {
    private DemoThreads() {}

    /** Interrupts the tasks, and waits up to five seconds for their threads to end. */
    static void stop(ExecutorService threads) {
        threads.shutdownNow();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static ThreadFactory named(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
