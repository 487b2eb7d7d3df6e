// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * Where an engine gets its time, its threads and its random numbers: from the JDK, or from a simulation that decides by a seed
 * what happens next.
 */
public interface Environment {
    /** The clock, the threads and the random numbers of the JDK. */
    Environment SYSTEM = new SystemEnvironment();

    /** The time in nanoseconds since an arbitrary moment, as {@link System#nanoTime}. */
    long nanoTime();

    /** A random number from {@code from} up to, but not including, {@code to}. */
    long random(long from, long to);

    /** Random bytes that nobody can predict, for tokens. */
    byte[] randomBytes(int length);

    /** A timer with one thread. Its tasks must not block. */
    ScheduledExecutorService timer(String name);

    /** This many threads for blocking calls; further calls wait in a queue. */
    Workers workers(String name, int size);

    /**
     * Makes a blocking call on the current thread, which is one of the workers.
     *
     * @return the answer or the failure. It is complete, except in a simulation, which cannot block: there it completes later,
     *     and the worker counts as busy until then
     */
    <R> CompletableFuture<R> call(Supplier<R> work);
}
