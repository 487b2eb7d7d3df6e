// SPDX-License-Identifier: Apache-2.0
package dev.semel.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Many threads that start at the same time and must all end. */
final class ConcurrentThreads {
    private static final int SECONDS = 120;

    private ConcurrentThreads() {}

    /** Runs this many threads and returns their results in order. Fails if a thread fails or does not end. */
    static <T> List<T> run(int threads, IntFunction<Callable<T>> task) {
        List<Callable<T>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            tasks.add(task.apply(i));
        }
        return run(tasks);
    }

    static <T> List<T> run(List<Callable<T>> tasks) {
        ExecutorService pool = Executors.newFixedThreadPool(tasks.size());
        CountDownLatch ready = new CountDownLatch(tasks.size());
        try {
            List<Future<T>> started = new ArrayList<>();
            for (Callable<T> task : tasks) {
                started.add(pool.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return task.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> each : started) {
                results.add(resultOf(each));
            }
            return results;
        } finally {
            pool.shutdownNow();
        }
    }

    private static <T> T resultOf(Future<T> future) {
        try {
            return future.get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("One of several threads failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("One of several threads did not end within " + SECONDS + " s: a deadlock?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for other threads", e);
        }
    }
}
