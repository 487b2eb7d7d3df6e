// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The engine's threads: named, and daemons, so that a forgotten engine does not keep a process alive. */
final class EngineThreads {
    private EngineThreads() {}

    static ExecutorService pool(String name, int size) {
        return Executors.newFixedThreadPool(size, factory(name));
    }

    static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory(name));
        // Most alarms are cancelled long before they are due; without this they would pile up until then.
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    private static ThreadFactory factory(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
