// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: a queue whose entries are sent in batches. Entries that arrive during a call form the next batch. No entry
 * waits for a timer; the slower the calls, the larger the batches.
 *
 * <p>A lane sends one batch after the other. There is one lane as long as it keeps up, because one large batch costs less
 * than two small ones. If many entries wait behind its call, another lane starts, and it ends when few wait again. Entries
 * that are sent apart ({@link Batching#apart}) have lanes of their own.
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

    /**
     * How many entries wait for each lane before another one starts. Two lanes make smaller batches, which cost more, but while
     * one waits for its answer, the other one works.
     */
    static final int MANY = 16;

    /** With fewer waiting entries for each other lane, a lane ends after its batch. Fewer than {@link #MANY}, so that lanes last. */
    static final int FEW = 6;

    /** The same for entries of two kinds, which start and end lanes later: two lanes work at the same time already. */
    static final int MANY_OF_TWO_KINDS = 32;

    private static final long STUCK_NANOS = 1_000_000_000L;

    private final Environment environment;
    private final int maxLanes;
    private final int many;
    private final int few;
    private final Batching<? super E> batching;
    private final BatchCall<E, R> call;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final @Nullable BatchObserver observer;
    private final WaitingEntries<E, R> waiting = new WaitingEntries<>();
    private final Kind together = new Kind(false);
    private final Kind apart = new Kind(true);
    private final List<Kind> kinds = List.of(together, apart);

    /** The keys of the batches of all lanes. */
    private final Set<Object> inFlight = new HashSet<>();

    /** How many lanes have no thread yet. */
    private int starting;

    private boolean watched;

    /** Whether the last call returned an answer. Only then may a caller make the next call itself. */
    private boolean healthy = true;

    /**
     * @param count how many batches of each kind may be in progress at the same time
     * @param call sends a batch
     * @param workers runs the calls
     * @param timer watches for batches without an answer
     */
    public Lanes(
            int count,
            Batching<? super E> batching,
            BatchCall<E, R> call,
            Executor workers,
            ScheduledExecutorService timer) {
        this(Environment.SYSTEM, count, batching, call, workers, timer, null);
    }

    /**
     * @param environment makes the calls and has the clock
     * @param observer is told of every batch; null for none, which costs nothing
     */
    public Lanes(
            Environment environment,
            int count,
            Batching<? super E> batching,
            BatchCall<E, R> call,
            Executor workers,
            ScheduledExecutorService timer,
            @Nullable BatchObserver observer) {
        if (count < 1) {
            throw new IllegalArgumentException("At least 1 lane is required, but the count is " + count);
        }
        this.environment = environment;
        this.maxLanes = count;
        this.batching = Objects.requireNonNull(batching, "Lanes require a batching");
        this.many = batching.hasTwoKinds() ? MANY_OF_TWO_KINDS : MANY;
        this.few = batching.hasTwoKinds() ? MANY_OF_TWO_KINDS : FEW;
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
        return submit(entered(entry), false);
    }

    /**
     * As {@link #submit}, for a thread that would only wait for the answer. If no lane of its kind is at work, this thread makes
     * the call itself, which saves two thread switches, and blocks for as long as the call takes.
     */
    public CompletableFuture<R> submitOrRun(E entry) {
        return submit(entered(entry), true);
    }

    private LaneEntry<E, R> entered(E entry) {
        return new LaneEntry<>(this, batching, entry, observer == null ? 0 : environment.nanoTime());
    }

    private CompletableFuture<R> submit(LaneEntry<E, R> entry, boolean mayRun) {
        Lane mine;
        boolean runs;
        synchronized (this) {
            Kind kind = entry.isApart() ? apart : together;
            runs = mayRun && healthy && waiting.isEmpty() && kind.lanes.isEmpty() && !inFlight.contains(entry.key());
            if (runs) {
                entry.sent();
                mine = opened(kind, List.of(entry));
            } else {
                waiting.add(entry);
                overtakeStuck();
                if (!needsLane(kind) || inFlight.contains(entry.key())) {
                    watch();
                    return entry;
                }
                mine = opened(kind, List.of());
            }
        }
        if (!runs) {
            start(mine);
        } else if (send(List.of(entry), () -> handOver(mine))) {
            handOver(mine);
        }
        return entry;
    }

    /** Whether the waiting entries of a kind need another lane: there is none, or many of them wait. */
    private boolean needsLane(Kind kind) {
        int lanes = kind.lanes.size();
        int entries = kind.waiting();
        return entries > 0 && (lanes == 0 || (lanes < maxLanes && entries >= many * lanes));
    }

    /** Forgets lanes whose batch has had no answer for too long. Their keys may be sent again. */
    private void overtakeStuck() {
        long now = environment.nanoTime();
        for (Kind kind : kinds) {
            kind.lanes.removeIf(lane -> {
                boolean stuck = now - lane.started >= STUCK_NANOS;
                if (stuck) {
                    lane.keys.forEach(inFlight::remove);
                    healthy = false;
                }
                return stuck;
            });
        }
    }

    private Lane opened(Kind kind, List<LaneEntry<E, R>> batch) {
        Lane lane = new Lane(kind);
        kind.lanes.add(lane);
        begin(lane, batch);
        return lane;
    }

    private void begin(Lane lane, List<LaneEntry<E, R>> batch) {
        lane.started = environment.nanoTime();
        lane.keys = new ArrayList<>(batch.size());
        batch.forEach(entry -> lane.keys.add(entry.key()));
        inFlight.addAll(lane.keys);
    }

    /** The caller has its own answer. Entries that arrived during its call are sent on another thread. */
    private void handOver(Lane mine) {
        List<Lane> next = new ArrayList<>();
        synchronized (this) {
            if (goesOn(mine)) {
                mine.started = environment.nanoTime();
                next.add(mine);
            }
            next.addAll(woken());
        }
        next.forEach(this::start);
    }

    /** Frees the keys of an answered batch. Returns whether its lane sends another. Otherwise it ends, or was overtaken. */
    private boolean goesOn(Lane mine) {
        Kind kind = mine.kind;
        if (!kind.lanes.contains(mine)) {
            return false;
        }
        mine.keys.forEach(inFlight::remove);
        mine.keys = List.of();
        int entries = kind.waiting();
        if (entries == 0 || entries < few * (kind.lanes.size() - 1)) {
            kind.lanes.remove(mine);
            return false;
        }
        return true;
    }

    /** Lanes for kinds whose last lane ended because the keys of their entries were busy. */
    private List<Lane> woken() {
        List<Lane> woken = List.of();
        for (Kind kind : kinds) {
            if (kind.lanes.isEmpty() && kind.waiting() > 0) {
                woken = woken.isEmpty() ? new ArrayList<>() : woken;
                woken.add(opened(kind, List.of()));
            }
        }
        return woken;
    }

    private void start(Lane mine) {
        synchronized (this) {
            starting++;
        }
        try {
            executor.execute(() -> {
                synchronized (this) {
                    starting--;
                }
                drain(mine);
            });
        } catch (Throwable rejected) {
            // Closed, or no memory for another thread.
            List<LaneEntry<E, R>> stranded = new ArrayList<>();
            synchronized (this) {
                starting--;
                mine.kind.lanes.remove(mine);
                if (mine.kind.lanes.isEmpty()) {
                    stranded.addAll(waiting.removeAll(mine.kind.apart));
                }
            }
            stranded.forEach(entry -> Completions.run(() -> entry.completeExceptionally(rejected)));
        }
    }

    private void drain(Lane mine) {
        List<LaneEntry<E, R>> batch = next(mine);
        // A loop, because each batch would deepen a recursion.
        while (!batch.isEmpty() && send(batch, () -> goOn(mine))) {
            if (givesWay(mine)) {
                return;
            }
            batch = next(mine);
        }
    }

    private void goOn(Lane mine) {
        if (!givesWay(mine)) {
            drain(mine);
        }
    }

    /** If another lane waits for a thread, it has its turn before the next batch of this one. */
    private boolean givesWay(Lane mine) {
        synchronized (this) {
            if (starting == 0) {
                return false;
            }
        }
        handOver(mine);
        return true;
    }

    /** The lane's next batch. It is empty if the lane ends. */
    private List<LaneEntry<E, R>> next(Lane mine) {
        List<LaneEntry<E, R>> batch;
        List<Lane> woken = List.of();
        synchronized (this) {
            boolean freed = !mine.keys.isEmpty();
            batch = goesOn(mine) ? taken(mine) : List.of();
            if (freed) {
                woken = woken();
            }
            if (batch.isEmpty() && !waiting.isEmpty()) {
                // What is left waits for the batches of other lanes, which may be silent.
                watch();
            }
        }
        woken.forEach(this::start);
        return batch;
    }

    private List<LaneEntry<E, R>> taken(Lane mine) {
        List<LaneEntry<E, R>> batch = waiting.take(mine.kind.apart, inFlight);
        if (batch.isEmpty()) {
            // The keys of all entries are in batches of other lanes, which go on with them or wake this kind.
            mine.kind.lanes.remove(mine);
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
    private boolean send(List<LaneEntry<E, R>> batch, Runnable later) {
        List<E> entries = new ArrayList<>(batch.size());
        batch.forEach(entry -> entries.add(entry.value()));
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

    private void answer(
            List<LaneEntry<E, R>> batch, long started, @Nullable List<R> answers, @Nullable Throwable failure) {
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
            LaneEntry<E, R> entry = batch.get(i);
            R answer = answers.get(i);
            Completions.run(() -> entry.complete(answer));
        }
    }

    private void observe(List<LaneEntry<E, R>> batch, long started, boolean well) {
        if (observer != null) {
            observer.called(batch.size(), started - batch.get(0).submitted(), environment.nanoTime() - started, well);
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
        List<Lane> more = new ArrayList<>();
        synchronized (this) {
            watched = false;
            if (waiting.isEmpty()) {
                return;
            }
            watch();
            overtakeStuck();
            for (Kind kind : kinds) {
                if (needsLane(kind)) {
                    more.add(opened(kind, List.of()));
                }
            }
        }
        more.forEach(this::start);
    }

    /** Removes an entry that has not been sent. False if it has been sent already. */
    boolean remove(LaneEntry<E, R> entry) {
        boolean removed;
        List<Lane> woken = List.of();
        synchronized (this) {
            removed = waiting.remove(entry);
            if (removed) {
                // A later entry of its key and of the other kind may have waited for it.
                woken = woken();
            }
        }
        woken.forEach(this::start);
        return removed;
    }

    /** The lanes of entries that are in batches together. */
    private final class Kind {
        final boolean apart;

        /** Without those that were overtaken. */
        final List<Lane> lanes = new ArrayList<>();

        Kind(boolean apart) {
            this.apart = apart;
        }

        int waiting() {
            return waiting.count(apart);
        }
    }

    /** Sends one batch after the other, compared by identity. */
    private final class Lane {
        final Kind kind;
        long started;
        List<Object> keys = List.of();

        Lane(Kind kind) {
            this.kind = kind;
        }
    }
}
