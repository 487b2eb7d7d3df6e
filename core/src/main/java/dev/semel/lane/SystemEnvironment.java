// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** The clock, the threads and the random numbers of the JDK. */
final class SystemEnvironment implements Environment {
    private final SecureRandom secure = new SecureRandom();

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long random(long from, long to) {
        return ThreadLocalRandom.current().nextLong(from, to);
    }

    @Override
    public byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        secure.nextBytes(bytes);
        return bytes;
    }

    @Override
    public ScheduledExecutorService timer(String name) {
        return DaemonThreads.timer(name);
    }

    @Override
    public Workers workers(String name, int size) {
        return Workers.fixed(name, size);
    }

    @Override
    public <R> CompletableFuture<R> call(Supplier<R> work) {
        try {
            return CompletableFuture.completedFuture(work.get());
        } catch (Throwable e) {
            // Throwable, because some drivers throw checked exceptions unchecked.
            return CompletableFuture.failedFuture(e);
        }
    }
}
