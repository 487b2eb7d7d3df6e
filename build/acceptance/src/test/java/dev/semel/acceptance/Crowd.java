// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Many callers at the same time. */
final class Crowd {
    private Crowd() {}

    /** The results of this many callers, which start at the same time. */
    static <T> List<T> of(int size, IntFunction<T> member) {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        CyclicBarrier start = new CyclicBarrier(size);
        try {
            List<Callable<T>> members = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int number = i;
                members.add(() -> {
                    start.await();
                    return member.apply(number);
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(members)) {
                results.add(result.get());
            }
            return results;
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        } finally {
            threads.shutdownNow();
        }
    }
}
