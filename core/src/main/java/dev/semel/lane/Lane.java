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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of entries with one batch on its way: while it is, the next collects. There is no timer and no added wait; the
 * busier the database, the larger the batches.
 *
 * <p>A batch holds at most one entry a key, and later ones of that key wait for the next, so they keep their order. Only
 * a batch that gets no answer for a second is overtaken: renewals and settlements must not wait behind a silent
 * connection, and whatever it still does is decided by tokens.
 *
 * @param <E> what callers hand in
 * @param <R> what each of them gets back
 */
public final class Lane<E, R> {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    /** The most entries of a batch. */
    public static final int LARGEST_BATCH = 256;

    /** The most bytes of a batch, as far as entries say how many they have; a single larger entry goes alone. */
    public static final long LARGEST_BATCH_BYTES = 4L << 20;

    private static final long STUCK_NANOS = 1_000_000_000L;

    private final Function<? super E, ?> key;
    private final ToLongFunction<? super E> bytes;
    private final Call<E, R> call;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final Set<Entry<E, R>> waiting = new LinkedHashSet<>();
    private boolean running;
    private boolean watched;

    /** Who may go on: a batch that was overtaken finds another number here when it comes back. */
    private int turn;

    private long batchStarted;

    /** Whether the last call came back, with an answer; only then may a caller make the next one itself. */
    private boolean healthy = true;

    /**
     * @param key what must not be twice in a batch
     * @param call what is done with a batch
     * @param executor where it is done
     * @param timer notices a batch that gets no answer; does nothing else
     */
    public Lane(Function<? super E, ?> key, Call<E, R> call, Executor executor, ScheduledExecutorService timer) {
        this(key, entry -> 0, call, executor, timer);
    }

    /** @param bytes how large an entry is, for the bound of a batch */
    public Lane(
            Function<? super E, ?> key,
            ToLongFunction<? super E> bytes,
            Call<E, R> call,
            Executor executor,
            ScheduledExecutorService timer) {
        this.key = Objects.requireNonNull(key, "A lane needs to know an entry's key");
        this.bytes = Objects.requireNonNull(bytes, "A lane needs to know an entry's size");
        this.call = Objects.requireNonNull(call, "A lane needs something to do");
        this.executor = Objects.requireNonNull(executor, "A lane needs an executor");
        this.timer = Objects.requireNonNull(timer, "A lane needs a timer");
    }

    /**
     * Adds the entry to the next batch, without blocking. The answer fails with whatever the call throws. Completing it
     * early takes the entry back if it has not left yet. Cancelling it does so too, but only then: once the entry has left,
     * {@code cancel} does nothing and says false, and the answer still comes.
     */
    public CompletableFuture<R> submit(E entry) {
        return submit(new Entry<>(this, entry), false);
    }

    /**
     * As {@link #submit}, for a thread that would only wait for the answer: if nobody else is at it, it makes the call
     * itself, which saves two hand-overs. Then it waits for as long as the call takes.
     */
    public CompletableFuture<R> submitOrRun(E entry) {
        return submit(new Entry<>(this, entry), true);
    }

    private CompletableFuture<R> submit(Entry<E, R> entry, boolean mayRun) {
        int mine;
        boolean runs;
        synchronized (this) {
            runs = mayRun && healthy && !running;
            entry.left = runs;
            if (!runs) {
                waiting.add(entry);
                if (running && System.nanoTime() - batchStarted < STUCK_NANOS) {
                    watch();
                    return entry;
                }
            }
            mine = take();
        }
        if (runs) {
            make(List.of(entry));
            handOver(mine);
        } else {
            start(mine);
        }
        return entry;
    }

    /** Makes the caller the one who runs the lane; whoever was at it has not answered for too long. */
    private int take() {
        healthy &= !running;
        running = true;
        batchStarted = System.nanoTime();
        return ++turn;
    }

    /** What came meanwhile goes on elsewhere: the caller has its own answer. */
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
        } catch (RejectedExecutionException closed) {
            List<Entry<E, R>> stranded;
            synchronized (this) {
                stranded = new ArrayList<>(waiting);
                waiting.clear();
                running = false;
            }
            stranded.forEach(entry -> tell(() -> entry.completeExceptionally(closed)));
        }
    }

    private void drain(int mine) {
        for (List<Entry<E, R>> batch = next(mine); !batch.isEmpty(); batch = next(mine)) {
            make(batch);
        }
    }

    /** The next batch; an empty one says that the lane is idle from now on, or that somebody else runs it. */
    private synchronized List<Entry<E, R>> next(int mine) {
        if (turn != mine) {
            return List.of();
        }
        List<Entry<E, R>> batch = new ArrayList<>(Math.min(waiting.size(), LARGEST_BATCH));
        Set<Object> taken = new HashSet<>();
        long bytes = 0;
        Iterator<Entry<E, R>> queue = waiting.iterator();
        while (queue.hasNext() && batch.size() < LARGEST_BATCH) {
            Entry<E, R> entry = queue.next();
            if (batch.isEmpty() || bytes + entry.bytes <= LARGEST_BATCH_BYTES) {
                if (taken.add(key.apply(entry.value))) {
                    entry.left = true;
                    batch.add(entry);
                    bytes += entry.bytes;
                    queue.remove();
                }
            } else {
                // In order: what would still fit must not overtake it again and again.
                break;
            }
        }
        running = !batch.isEmpty();
        batchStarted = System.nanoTime();
        return batch;
    }

    private void make(List<Entry<E, R>> batch) {
        List<E> entries = new ArrayList<>(batch.size());
        batch.forEach(entry -> entries.add(entry.value));
        List<R> answers;
        try {
            answers = call.make(entries);
            if (answers.size() != entries.size()) {
                throw new IllegalStateException("%d entries got %d answers".formatted(entries.size(), answers.size()));
            }
        } catch (Throwable e) {
            // Also what the compiler does not expect: drivers throw checked exceptions unchecked.
            answered(false);
            batch.forEach(entry -> tell(() -> entry.completeExceptionally(e)));
            return;
        }
        answered(true);
        for (int i = 0; i < batch.size(); i++) {
            Entry<E, R> entry = batch.get(i);
            R answer = answers.get(i);
            tell(() -> entry.complete(answer));
        }
    }

    /** Whatever those who depend on an answer throw: the others get theirs, and the lane goes on. */
    private static void tell(Runnable completion) {
        try {
            completion.run();
        } catch (Throwable e) {
            LOG.warn("A caller failed when it got its answer: {}", e.getClass().getName());
        }
    }

    private synchronized void answered(boolean well) {
        healthy = well;
    }

    /** Somebody must look after those who wait behind a call that never answers; one look a second is enough. */
    private void watch() {
        if (watched) {
            return;
        }
        try {
            timer.schedule(this::look, STUCK_NANOS, TimeUnit.NANOSECONDS);
            watched = true;
        } catch (RejectedExecutionException closed) {
            // Closing: whatever is under way ends, or is ended by whoever closes.
        }
    }

    private void look() {
        int mine;
        synchronized (this) {
            watched = false;
            if (!running || waiting.isEmpty()) {
                return;
            }
            watch();
            if (System.nanoTime() - batchStarted < STUCK_NANOS) {
                return;
            }
            mine = take();
        }
        start(mine);
    }

    /** Whether it had not left; then it never will. */
    private synchronized boolean takeBack(Entry<E, R> entry) {
        return waiting.remove(entry);
    }

    /** An entry, and the future of its answer. Only equal to itself. */
    private static final class Entry<E, R> extends CompletableFuture<R> {
        private final Lane<E, R> lane;
        private final E value;
        private final long bytes;

        /** Set before it leaves, so that its own answer needs no lock. */
        private volatile boolean left;

        Entry(Lane<E, R> lane, E value) {
            this.lane = lane;
            this.value = value;
            this.bytes = lane.bytes.applyAsLong(value);
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return lane.takeBack(this) && super.cancel(false);
        }

        @Override
        public boolean complete(R answer) {
            takeBack();
            return super.complete(answer);
        }

        @Override
        public boolean completeExceptionally(Throwable failure) {
            takeBack();
            return super.completeExceptionally(failure);
        }

        private void takeBack() {
            if (!left) {
                lane.takeBack(this);
            }
        }
    }

    /** One call for many entries. */
    public interface Call<E, R> {
        /** Answers in the order of the entries. What it throws reaches every one of them. */
        List<R> make(List<E> entries);
    }
}
