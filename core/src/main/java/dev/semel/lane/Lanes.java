// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Group commit in several lanes: each lane sends one batch at a time and collects the next one during the call. No entry waits
 * for a timer; the slower the calls, the larger the batches.
 *
 * <p>The hash of an entry's key chooses its lane. A key always uses the same lane, and a batch holds at most one entry for
 * each key, so entries of one key are sent one after the other in the order in which they were submitted. Only a batch
 * without an answer for a second is overtaken. Entries must therefore be safe to send while an earlier one of the same key
 * may still take effect; claims are, because their tokens decide.
 *
 * @param <E> what callers submit
 * @param <R> what each caller receives
 */
public final class Lanes<E, R> {
    private final Function<? super E, ?> key;
    private final List<Lane<E, R>> lanes;

    /**
     * @param count how many batches may be in progress at the same time
     * @param key the key of an entry
     * @param bytes the size of an entry, for the size limit of a batch; 0 if entries are small
     * @param call sends a batch
     * @param workers runs the calls
     * @param timer watches for batches without an answer
     */
    public Lanes(
            int count,
            Function<? super E, ?> key,
            ToLongFunction<? super E> bytes,
            BatchCall<E, R> call,
            Executor workers,
            ScheduledExecutorService timer) {
        this(Environment.SYSTEM, count, key, bytes, call, workers, timer, null);
    }

    /**
     * @param environment makes the calls and has the clock
     * @param observer is told of every batch; null for none, which costs nothing
     */
    public Lanes(
            Environment environment,
            int count,
            Function<? super E, ?> key,
            ToLongFunction<? super E> bytes,
            BatchCall<E, R> call,
            Executor workers,
            ScheduledExecutorService timer,
            @Nullable BatchObserver observer) {
        if (count < 1) {
            throw new IllegalArgumentException("At least 1 lane is required, but the count is " + count);
        }
        this.key = key;
        this.lanes = IntStream.range(0, count)
                .mapToObj(lane -> new Lane<E, R>(environment, key, bytes, call, workers, timer, observer))
                .toList();
    }

    /**
     * Adds the entry to the next batch of its lane, without blocking. The answer fails with the exception of the call, or
     * with a {@link java.util.concurrent.RejectedExecutionException} once the workers have been shut down.
     *
     * <p>Completing the answer early removes an entry that has not been sent. Cancelling does the same, but only then: once
     * the entry has been sent, {@code cancel} returns false and the answer still arrives.
     */
    public CompletableFuture<R> submit(E entry) {
        return laneOf(entry).submit(entry);
    }

    /**
     * As {@link #submit}, for a thread that would only wait for the answer. If the lane is idle, this thread makes the call
     * itself, which saves two thread switches, and blocks for as long as the call takes.
     */
    public CompletableFuture<R> submitOrRun(E entry) {
        return laneOf(entry).submitOrRun(entry);
    }

    private Lane<E, R> laneOf(E entry) {
        return lanes.get(Math.floorMod(key.apply(entry).hashCode(), lanes.size()));
    }
}
