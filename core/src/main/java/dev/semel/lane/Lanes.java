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
 * Group commit: a queue whose entries are sent in batches. Entries that arrive during a call form the next batch. No entry
 * waits for a timer; the slower the calls, the larger the batches.
 *
 * <p>A lane sends one batch after the other. There is one lane as long as it keeps up, because one large batch costs less
 * than two small ones. If many entries wait behind its call, another lane starts, and it ends when few wait again.
 *
 * <p>A key is in one batch at a time, and a batch holds at most one entry for each key, so entries of one key are sent one
 * after the other in the order in which they were submitted. Only a batch that gets no answer for a second is overtaken:
 * renewals and settlements must not wait behind a silent connection. Entries must therefore be safe to send while an
 * earlier one of the same key may still take effect; claims are, because their tokens decide.
 *
 * @param <E> what callers submit
 * @param <R> what each caller receives
 */
public final class Lanes<E, R> {
    /** The maximum number of entries in a batch. */
    static final int MAX_BATCH = 256;

    /** The maximum size of a batch, by the sizes that entries report. A larger entry is sent alone. */
    static final long MAX_BATCH_BYTES = 4L << 20;

    /** How many entries wait for each lane before another one starts. More lanes make smaller, costlier batches. */
    static final int MANY = 64;

    private static final long STUCK_NANOS = 1_000_000_000L;

    private final Environment environment;
    private final int maxLanes;
    private final Function<? super E, ?> key;
    private final ToLongFunction<? super E> bytes;
    private final BatchCall<E, R> call;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final @Nullable BatchObserver observer;
    private final Set<Entry<E, R>> waiting = new LinkedHashSet<>();

    /** Without those that were overtaken. */
    private final List<Lane> lanes = new ArrayList<>();

    /** The keys of the batches of all lanes. */
    private final Set<Object> inFlight = new HashSet<>();

    private boolean watched;

    /** Whether the last call returned an answer. Only then may a caller make the next call itself. */
    private boolean healthy = true;

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
        this.environment = environment;
        this.maxLanes = count;
        this.key = Objects.requireNonNull(key, "Lanes require a key function");
        this.bytes = Objects.requireNonNull(bytes, "Lanes require a size function");
        this.call = Objects.requireNonNull(call, "Lanes require a call");
        this.executor = Objects.requireNonNull(workers, "Lanes require workers");
        this.timer = Objects.requireNonNull(timer, "Lanes require a timer");
        this.observer = observer;
    }

    /**
     * Adds the entry to the next batch, without blocking. The answer fails with the exception of the call, or with a {@link
     * RejectedExecutionException} once the workers have been shut down.
     *
     * <p>Completing the answer early removes an entry that has not been sent. Cancelling does the same, but only then: once
     * the entry has been sent, {@code cancel} returns false and the answer still arrives.
     */
    public CompletableFuture<R> submit(E entry) {
        return submit(new Entry<>(this, entry), false);
    }

    /**
     * As {@link #submit}, for a thread that would only wait for the answer. If no lane is at work, this thread makes the
     * call itself, which saves two thread switches, and blocks for as long as the call takes.
     */
    public CompletableFuture<R> submitOrRun(E entry) {
        return submit(new Entry<>(this, entry), true);
    }

    private CompletableFuture<R> submit(Entry<E, R> entry, boolean mayRun) {
        Lane mine;
        boolean runs;
        synchronized (this) {
            runs = mayRun && healthy && lanes.isEmpty();
            if (runs) {
                entry.sent = true;
                mine = opened(List.of(entry));
            } else {
                waiting.add(entry);
                if (!needsLane()) {
                    watch();
                    return entry;
                }
                mine = opened(List.of());
            }
        }
        if (!runs) {
            start(mine);
        } else if (send(List.of(entry), () -> handOver(mine))) {
            handOver(mine);
        }
        return entry;
    }

    /** Whether the waiting entries need another lane: there is none, or many of them wait. */
    private boolean needsLane() {
        overtakeStuck();
        return lanes.isEmpty() || (lanes.size() < maxLanes && waiting.size() >= MANY * lanes.size());
    }

    /** Forgets lanes whose batch has had no answer for too long. Their keys may be sent again. */
    private void overtakeStuck() {
        long now = environment.nanoTime();
        Iterator<Lane> all = lanes.iterator();
        while (all.hasNext()) {
            Lane lane = all.next();
            if (now - lane.started >= STUCK_NANOS) {
                all.remove();
                lane.keys.forEach(inFlight::remove);
                healthy = false;
            }
        }
    }

    private Lane opened(List<Entry<E, R>> batch) {
        Lane lane = new Lane();
        lanes.add(lane);
        begin(lane, batch);
        return lane;
    }

    private void begin(Lane lane, List<Entry<E, R>> batch) {
        lane.started = environment.nanoTime();
        lane.keys = new ArrayList<>(batch.size());
        batch.forEach(entry -> lane.keys.add(key.apply(entry.value)));
        inFlight.addAll(lane.keys);
    }

    /** The caller has its own answer. Entries that arrived during its call are sent on another thread. */
    private void handOver(Lane mine) {
        synchronized (this) {
            if (!goesOn(mine)) {
                return;
            }
            mine.started = environment.nanoTime();
        }
        start(mine);
    }

    /** Whether a lane whose batch was answered sends another. Otherwise it ends, or it has been overtaken. */
    private boolean goesOn(Lane mine) {
        if (!lanes.contains(mine)) {
            return false;
        }
        mine.keys.forEach(inFlight::remove);
        mine.keys = List.of();
        if (waiting.isEmpty() || waiting.size() < MANY * (lanes.size() - 1)) {
            lanes.remove(mine);
            return false;
        }
        return true;
    }

    private void start(Lane mine) {
        try {
            executor.execute(() -> drain(mine));
        } catch (Throwable rejected) {
            // Closed, or no memory for another thread.
            List<Entry<E, R>> stranded = new ArrayList<>();
            synchronized (this) {
                lanes.remove(mine);
                if (lanes.isEmpty()) {
                    stranded.addAll(waiting);
                    waiting.clear();
                }
            }
            stranded.forEach(entry -> Completions.run(() -> entry.completeExceptionally(rejected)));
        }
    }

    private void drain(Lane mine) {
        List<Entry<E, R>> batch = next(mine);
        // A loop, because each batch would deepen a recursion.
        while (!batch.isEmpty() && send(batch, () -> drain(mine))) {
            batch = next(mine);
        }
    }

    /** The lane's next batch. It is empty if the lane ends. */
    private synchronized List<Entry<E, R>> next(Lane mine) {
        if (!goesOn(mine)) {
            return List.of();
        }
        List<Entry<E, R>> batch = new ArrayList<>(Math.min(waiting.size(), MAX_BATCH));
        Set<Object> taken = new HashSet<>(inFlight);
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
        if (batch.isEmpty()) {
            // The keys of all entries are in batches of other lanes, which go on with them.
            lanes.remove(mine);
        } else {
            begin(mine, batch);
        }
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
            // Closing: the owner of the lanes waits for running calls, or interrupts them.
        }
    }

    private void check() {
        Lane mine;
        synchronized (this) {
            watched = false;
            if (waiting.isEmpty()) {
                return;
            }
            watch();
            if (!needsLane()) {
                return;
            }
            mine = opened(List.of());
        }
        start(mine);
    }

    /** Removes an entry that has not been sent. False if it has been sent already. */
    private synchronized boolean remove(Entry<E, R> entry) {
        return waiting.remove(entry);
    }

    /** Sends one batch after the other, compared by identity. */
    private static final class Lane {
        private long started;
        private List<Object> keys = List.of();
    }

    /** An entry and the future of its answer, compared by identity. */
    private static final class Entry<E, R> extends CompletableFuture<R> {
        private final Lanes<E, R> lanes;
        private final E value;
        private final long bytes;
        private final long submitted;

        /** Set before the entry is sent, so that completing its answer needs no lock. */
        private volatile boolean sent;

        Entry(Lanes<E, R> lanes, E value) {
            this.lanes = lanes;
            this.value = value;
            this.bytes = lanes.bytes.applyAsLong(value);
            this.submitted = lanes.observer == null ? 0 : lanes.environment.nanoTime();
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            return lanes.remove(this) && super.cancel(false);
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
                lanes.remove(this);
            }
        }
    }
}
