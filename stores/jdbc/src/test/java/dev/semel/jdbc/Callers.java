// SPDX-License-Identifier: Apache-2.0
package dev.semel.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Many threads that start at the same time. */
final class Callers {
    private Callers() {}

    /** Returns their results in order. Fails if one of them failed. */
    static <R> List<R> together(int callers, Caller<R> caller) {
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<R>> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                running.add(CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                start.await();
                                return caller.call(number);
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        threads));
            }
            start.countDown();
            return running.stream().map(CompletableFuture::join).toList();
        } finally {
            threads.shutdownNow();
        }
    }

    interface Caller<R> {
        R call(int number) throws Exception;
    }
}
