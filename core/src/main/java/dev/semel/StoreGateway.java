// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.claim.SweepReport;
import dev.semel.lane.Lane;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous way to a blocking store. Commands travel in lanes; a command whose fate is not known is sent again,
 * the same command with the same token, until it is known or its time is over: re-reading alone would race a commit
 * that is still on its way.
 */
final class StoreGateway {
    /** Two: while the commit of one is on its way to the disk, the other collects and computes. */
    private static final int LANES = 2;

    private static final int MAX_CALLERS = 1_000_000;

    private final ClaimStore store;
    private final ExecutorService workers;
    private final ScheduledExecutorService timer;
    private final Deadlines deadlines;
    private final List<Lane<Command, Verdict>> lanes;
    private final Lane<ClaimRef, Optional<Snapshot>> reads;

    /** Held while a caller makes its own call, so that closing can wait for it and refuse the next. */
    private final Semaphore callers = new Semaphore(MAX_CALLERS);

    private volatile boolean callersEnded;

    StoreGateway(ClaimStore store, ExecutorService workers, ScheduledExecutorService timer) {
        this.store = store;
        this.workers = workers;
        this.timer = timer;
        this.deadlines = new Deadlines(timer);
        this.lanes = IntStream.range(0, LANES)
                .mapToObj(lane ->
                        new Lane<Command, Verdict>(Command::ref, StoreGateway::bytes, store::apply, workers, timer))
                .toList();
        this.reads = new Lane<>(ref -> ref, this::readAll, workers, timer);
    }

    /** Only results are large. */
    private static long bytes(Command command) {
        return command instanceof Command.Settle settle && settle.result() != null
                ? settle.result().size()
                : 0;
    }

    /**
     * Applies one command; fails with a {@link StoreException} only. The verdict is never an error.
     *
     * @param caller the thread that does nothing but wait for the answer, if there is one: while it is the current one,
     *     it makes an idle lane's call itself
     */
    Sending<Verdict> submit(Command command, Duration keepTrying, @Nullable Thread caller) {
        if (command instanceof Command.Insert insert && !insert.aliases().isEmpty()) {
            // Alone and outside the lanes: it is a transaction over several rows.
            return persist(
                    keepTrying, onWorker(() -> store.apply(List.of(command)).get(0)));
        }
        Lane<Command, Verdict> lane =
                lanes.get(Math.floorMod(command.ref().digest().hashCode(), LANES));
        return persist(keepTrying, () -> sent(lane, command, caller));
    }

    /** Applies many commands in one call, outside the lanes; the verdicts in their order, errors among them. */
    Sending<List<Verdict>> submitAll(List<? extends Command> commands, Duration keepTrying) {
        return persist(keepTrying, onWorker(() -> store.apply(commands)));
    }

    private <E, R> CompletableFuture<R> sent(Lane<E, R> lane, E entry, @Nullable Thread caller) {
        if (caller != Thread.currentThread() || !callers.tryAcquire()) {
            return lane.submit(entry);
        }
        try {
            return lane.submitOrRun(entry);
        } finally {
            callers.release();
        }
    }

    Sending<Optional<Snapshot>> read(ClaimRef ref, Duration keepTrying, @Nullable Thread caller) {
        return persist(keepTrying, () -> sent(reads, ref, caller));
    }

    /** Reads a claim in a call of its own, outside the lanes, so that its result is whole. */
    Sending<Optional<Snapshot>> readAlone(ClaimRef ref, Duration keepTrying) {
        return persist(
                keepTrying,
                onWorker(() -> Optional.ofNullable(store.read(List.of(ref)).get(ref))));
    }

    private List<Optional<Snapshot>> readAll(List<ClaimRef> refs) {
        Map<ClaimRef, Snapshot> found = store.read(refs);
        return refs.stream().map(ref -> Optional.ofNullable(found.get(ref))).toList();
    }

    /** One bounded sweep; not repeated, because the next one on the schedule is. */
    CompletableFuture<SweepReport> sweep(int limit) {
        // Bounded by the store alone: an hour only says that closing ends it.
        return answeredWithin(Duration.ofHours(1), persist(Duration.ZERO, onWorker(() -> store.sweep(limit))));
    }

    /** Some other blocking call, not repeated. */
    <R> CompletableFuture<R> call(Supplier<R> work, Duration bound) {
        return answeredWithin(bound, persist(Duration.ZERO, onWorker(work)));
    }

    /** The same answer, or a failure once this time is over; the call itself goes on. */
    <R> CompletableFuture<R> answeredWithin(Duration bound, CompletableFuture<R> call) {
        return deadlines.within(bound, call);
    }

    /** Refuses further calls by callers, and waits for those that are under way. */
    boolean awaitCallers(Duration bound) throws InterruptedException {
        // Only once: an engine may be closed twice, and nobody gives back what the first took.
        callersEnded = callersEnded || callers.tryAcquire(MAX_CALLERS, bound.toMillis(), TimeUnit.MILLISECONDS);
        return callersEnded;
    }

    /** Answers those whose calls nobody will make any more; to be called once the workers and the timer have ended. */
    void close() {
        deadlines.close();
    }

    private <R> Sending<R> persist(Duration keepTrying, Supplier<CompletableFuture<R>> call) {
        return Sending.of(call, keepTrying, timer, deadlines);
    }

    private <R> Supplier<CompletableFuture<R>> onWorker(Supplier<R> call) {
        return () -> {
            WorkerCall<R> task = new WorkerCall<>(call, workers);
            try {
                workers.execute(task);
            } catch (RejectedExecutionException e) {
                task.completeExceptionally(Deadlines.closing());
            }
            return task;
        };
    }

    /** A call that waits for a worker; while it does, cancelling takes it back, and later nothing does. */
    private static final class WorkerCall<R> extends CompletableFuture<R> implements Runnable {
        private final Supplier<R> call;
        private final ExecutorService workers;
        private final AtomicBoolean begun = new AtomicBoolean();

        WorkerCall(Supplier<R> call, ExecutorService workers) {
            this.call = call;
            this.workers = workers;
        }

        @Override
        public void run() {
            if (begun.getAndSet(true)) {
                return;
            }
            try {
                complete(call.get());
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            if (begun.getAndSet(true)) {
                return false;
            }
            if (workers instanceof ThreadPoolExecutor pool) {
                pool.remove(this);
            }
            return super.cancel(false);
        }
    }
}
