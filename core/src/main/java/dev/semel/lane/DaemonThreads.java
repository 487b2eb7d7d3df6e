// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Named daemon threads, so that a component that was not closed does not keep its process running. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** Threads called {@code name-1}, {@code name-2}, and so on. */
    public static ThreadFactory factory(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(work, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            // Not that of the caller, which may be a web application that is stopped before this thread ends.
            thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
            return thread;
        };
    }

    /** A timer with one thread. Its tasks must not block. */
    public static ScheduledThreadPoolExecutor timer(String name) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, factory(name));
        // Most alarms are cancelled long before they are due. Without this they would stay in memory until then.
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
