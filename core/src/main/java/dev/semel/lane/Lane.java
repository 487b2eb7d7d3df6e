// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A queue with one batch in progress: entries that arrive during its call form the next one.
 *
 * <p>A batch holds at most one entry for each key. Later entries of that key wait for the next batch, so they keep their
 * order. A batch that gets no answer for a second is overtaken: renewals and settlements must not wait behind a silent
 * connection, and tokens decide about late effects of the overtaken batch.
 *
 * @param <E> what callers submit
 * @param <R> what each caller receives
 */
final class Lane<E, R> {
    /** The maximum number of entries in a batch. */
    static final int MAX_BATCH = 256;

    /** The maximum size of a batch, by the sizes that entries report. A larger entry is sent alone. */
    static final long MAX_BATCH_BYTES = 4L << 20;

    private static final long STUCK_NANOS = 1_000_000_000L;

    private final Function<? super E, ?> key;
    private final ToLongFunction<? super E> bytes;
    private final Environment environment;
    private final BatchCall<E, R> call;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final @Nullable BatchObserver observer;
    private final Set<Entry<E, R>> waiting = new LinkedHashSet<>();
    private boolean running;
    private boolean watched;

    /** The number of the current run of the lane. An overtaken batch finds a higher number when its call returns. */
    private int turn;

    private long batchStarted;

    /** Whether the last call returned an answer. Only then may a caller make the next call itself. */
    private boolean healthy = true;

    /**
     * @param key the key of an entry
     * @param call sends a batch
     * @param executor runs the calls
     * @param timer watches for batches without an answer
     */
    Lane(Function<? super E, ?> key, BatchCall<E, R> call, Executor executor, ScheduledExecutorService timer) {
        this(Environment.SYSTEM, key, entry -> 0, call, executor, timer, null);
    }

    /**
     * @param bytes the size of an entry, for the size limit of a batch
     * @param observer is told of every batch; null for none
     */
    Lane(
            Environment environment,
            Function<? super E, ?> key,
            ToLongFunction<? super E> bytes,
            BatchCall<E, R> call,
            Executor executor,
            ScheduledExecutorService timer,
            @Nullable BatchObserver observer) {
        this.environment = environment;
        this.key = Objects.requireNonNull(key, "A lane requires a key function");
        this.bytes = Objects.requireNonNull(bytes, "A lane requires a size function");
        this.call = Objects.requireNonNull(call, "A lane requires a call");
        this.executor = Objects.requireNonNull(executor, "A lane requires an executor");
        this.timer = Objects.requireNonNull(timer, "A lane requires a timer");
        this.observer = observer;
    }

    /** See {@link Lanes#submit}. */
    CompletableFuture<R> submit(E entry) {
        return submit(new Entry<>(this, entry), false);
    }

    /** See {@link Lanes#submitOrRun}. */
    CompletableFuture<R> submitOrRun(E entry) {
        return submit(new Entry<>(this, entry), true);
    }

    private CompletableFuture<R> submit(Entry<E, R> entry, boolean mayRun) {
        int mine;
        boolean runs;
        synchronized (this) {
            runs = mayRun && healthy && !running;
            entry.sent = runs;
            if (!runs) {
                waiting.add(entry);
                if (running && environment.nanoTime() - batchStarted < STUCK_NANOS) {
                    watch();
                    return entry;
                }
            }
            mine = take();
        }
        if (runs) {
            if (send(List.of(entry), () -> handOver(mine))) {
                handOver(mine);
            }
        } else {
            start(mine);
        }
        return entry;
    }

    /** Makes the caller run the lane. If a batch is in progress, it has not been answered for too long. */
    private int take() {
        healthy &= !running;
        running = true;
        batchStarted = environment.nanoTime();
        return ++turn;
    }

    /** Sends the entries that arrived during the call on another thread, because the caller has its own answer. */
    private void handOver(int mine) {
        synchronized (this) {
            if (turn != mine) {
                return;
            }
            if (waiting.isEmpty()) {
                running = false;
                return;
            }
        }
        start(mine);
    }

    private void start(int mine) {
        try {
            executor.execute(() -> drain(mine));
        } catch (Throwable rejected) {
            // Closed, or no memory for another thread.
            List<Entry<E, R>> stranded;
            synchronized (this) {
                stranded = new ArrayList<>(waiting);
                waiting.clear();
                running = false;
            }
            stranded.forEach(entry -> Completions.run(() -> entry.completeExceptionally(rejected)));
        }
    }

    private void drain(int mine) {
        List<Entry<E, R>> batch = next(mine);
        // A loop, because each batch would deepen a recursion.
        while (!batch.isEmpty() && send(batch, () -> drain(mine))) {
            batch = next(mine);
        }
    }

    /** The next batch. It is empty if the lane becomes idle or another thread runs it. */
    private synchronized List<Entry<E, R>> next(int mine) {
        if (turn != mine) {
            return List.of();
        }
        List<Entry<E, R>> batch = new ArrayList<>(Math.min(waiting.size(), MAX_BATCH));
        Set<Object> taken = new HashSet<>();
        long bytes = 0;
        Iterator<Entry<E, R>> queue = waiting.iterator();
        while (queue.hasNext() && batch.size() < MAX_BATCH) {
            Entry<E, R> entry = queue.next();
            if (batch.isEmpty() || bytes + entry.bytes <= MAX_BATCH_BYTES) {
                if (taken.add(key.apply(entry.value))) {
                    entry.sent = true;
                    batch.add(entry);
                    bytes += entry.bytes;
                    queue.remove();
                }
            } else {
                // Entries keep their order: smaller ones that would still fit must not overtake this one.
                break;
            }
        }
        running = !batch.isEmpty();
        batchStarted = environment.nanoTime();
        return batch;
    }

    /**
     * Sends a batch and answers its entries.
     *
     * @param later what follows, if the answer arrives after this method has returned
     * @return whether the entries have been answered
     */
    private boolean send(List<Entry<E, R>> batch, Runnable later) {
        List<E> entries = new ArrayList<>(batch.size());
        batch.forEach(entry -> entries.add(entry.value));
        long started = observer == null ? 0 : environment.nanoTime();
        CompletableFuture<List<R>> made = environment.call(() -> call.make(entries));
        boolean answered = made.isDone();
        made.whenComplete((answers, failure) -> {
            answer(batch, started, answers, failure);
            if (!answered) {
                later.run();
            }
        });
        return answered;
    }

    private void answer(List<Entry<E, R>> batch, long started, @Nullable List<R> answers, @Nullable Throwable failure) {
        if (answers == null || answers.size() != batch.size()) {
            Throwable thrown = failure != null
                    ? failure
                    : new IllegalStateException(
                            "%d entries got %d answers".formatted(batch.size(), answers == null ? 0 : answers.size()));
            answered(false);
            observe(batch, started, false);
            batch.forEach(entry -> Completions.run(() -> entry.completeExceptionally(thrown)));
            return;
        }
        answered(true);
        observe(batch, started, true);
        for (int i = 0; i < batch.size(); i++) {
            Entry<E, R> entry = batch.get(i);
            R answer = answers.get(i);
            Completions.run(() -> entry.complete(answer));
        }
    }

    private void observe(List<Entry<E, R>> batch, long started, boolean well) {
        if (observer != null) {
            observer.called(batch.size(), started - batch.get(0).submitted, environment.nanoTime() - started, well);
        }
    }

    private synchronized void answered(boolean well) {
        healthy = well;
    }

    /** Checks once a second whether entries wait behind a call that does not return. */
    private void watch() {
        if (watched) {
            return;
        }
        try {
            timer.schedule(this::check, STUCK_NANOS, TimeUnit.NANOSECONDS);
            watched = true;
        } catch (RejectedExecutionException closed) {
            // Closing: the owner of the lane waits for running calls, or interrupts them.
        }
    }

    private void check() {
        int mine;
        synchronized (this) {
            watched = false;
            if (!running || waiting.isEmpty()) {
                return;
            }
            watch();
            if (environment.nanoTime() - batchStarted < STUCK_NANOS) {
                return;
            }
            mine = take();
        }
        start(mine);
    }

    /** Removes an entry that has not been sent. False if it has been sent already. */
    private synchronized boolean remove(Entry<E, R> entry) {
        return waiting.remove(entry);
    }

    /** An entry and the future of its answer, compared by identity. */
    private static final class Entry<E, R> extends CompletableFuture<R> {
        private final Lane<E, R> lane;
        private final E value;
        private final long bytes;
        private final long submitted;

        /** Set before the entry is sent, so that completing its answer needs no lock. */
        private volatile boolean sent;

        Entry(Lane<E, R> lane, E value) {
            this.lane = lane;
            this.value = value;
            this.bytes = lane.bytes.applyAsLong(value);
            this.submitted = lane.observer == null ? 0 : lane.environment.nanoTime();
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return lane.remove(this) && super.cancel(false);
        }

        @Override
        public boolean complete(R answer) {
            remove();
            return super.complete(answer);
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            remove();
            return super.completeExceptionally(failure);
        }

        private void remove() {
            if (!sent) {
                lane.remove(this);
            }
        }
    }
}
