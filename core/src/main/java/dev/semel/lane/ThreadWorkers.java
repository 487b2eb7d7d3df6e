// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Workers that are daemon threads. */
final class ThreadWorkers extends Workers {
    private static final long IDLE_SECONDS = 60;

    private final ThreadPoolExecutor pool;

    ThreadWorkers(String name, int least, int most, BlockingQueue<Runnable> queue) {
        super(Environment.SYSTEM);
        pool = new ThreadPoolExecutor(least, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, DaemonThreads.factory(name));
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    protected void withdraw(Runnable task) {
        pool.remove(task);
    }

    @Override
    public int waiting() {
        return pool.getQueue().size();
    }

    @Override
    public void shutdown() {
        pool.shutdown();
    }

    @Override
    public boolean end(Duration bound) {
        pool.shutdown();
        try {
            if (pool.awaitTermination(bound.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pool.shutdownNow().forEach(Workers::refuse);
        return false;
    }
}
