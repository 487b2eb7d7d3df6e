// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.SweepReport;
import dev.semel.lane.BatchObserver;
import dev.semel.lane.Batching;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
import dev.semel.lane.Lanes;
import dev.semel.lane.Workers;
import dev.semel.spi.ClaimStore;
import dev.semel.spi.Command;
import dev.semel.spi.Snapshot;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a blocking store asynchronous. Commands are sent in lanes. If the effect of a command is unknown, the same command
 * with the same token is sent again until it is known or the time is over. A read would not help: the commit may
 * still be in progress.
 */
final class StoreGateway {
    private static final int LANES = 2;

    private static final int MAX_CALLERS = 1_000_000;

    private static final long SHORT_WAIT_MILLIS = 100;

    /** A sweep is bounded by the store. This bound only makes closing end it. */
    private static final Duration SWEEP_BOUND = Duration.ofHours(1);

    private final Environment environment;
    private final ClaimStore store;
    private final Workers workers;
    private final ScheduledExecutorService timer;
    private final Deadlines deadlines;
    private final Lanes<Command, Verdict> commands;
    private final Lanes<ClaimRef, Optional<Snapshot>> reads;

    /** Held while a caller makes its own call, so that closing can wait for it and refuse the next one. */
    private final Semaphore callers = new Semaphore(MAX_CALLERS);

    private volatile boolean callersEnded;

    private final @Nullable Consumer<StoreCall> calls;

    StoreGateway(ClaimStore store, Workers workers, ScheduledExecutorService timer) {
        this(Environment.SYSTEM, store, workers, timer, null);
    }

    /** @param calls is told of every call of the store; null for none, which costs nothing */
    StoreGateway(
            Environment environment,
            ClaimStore store,
            Workers workers,
            ScheduledExecutorService timer,
            @Nullable Consumer<StoreCall> calls) {
        this.environment = environment;
        this.store = store;
        this.calls = calls;
        this.workers = workers;
        this.timer = timer;
        this.deadlines = new Deadlines(environment, timer, StoreGateway::late, StoreGateway::closed);
        this.commands = new Lanes<>(
                environment, LANES, batching(store), store::apply, workers, timer, observer(StoreCall.Kind.APPLY));
        this.reads = new Lanes<>(
                environment, 1, Batching.by(ref -> ref), this::readAll, workers, timer, observer(StoreCall.Kind.READ));
    }

    private @Nullable BatchObserver observer(StoreCall.Kind kind) {
        Consumer<StoreCall> told = calls;
        return told == null
                ? null
                : (entries, waited, took, answered) -> told.accept(
                        new StoreCall(kind, entries, Duration.ofNanos(waited), Duration.ofNanos(took), answered));
    }

    /** Makes a call outside the lanes. */
    private <R> R observed(StoreCall.Kind kind, int size, Supplier<R> call) {
        if (calls == null) {
            return call.get();
        }
        long started = environment.nanoTime();
        boolean answered = false;
        try {
            R answer = call.get();
            answered = true;
            return answer;
        } finally {
            calls.accept(new StoreCall(
                    kind, size, Duration.ZERO, Duration.ofNanos(environment.nanoTime() - started), answered));
        }
    }

    private static Batching<Command> batching(ClaimStore store) {
        Batching<Command> batching = Batching.<Command>by(Command::ref).sized(StoreGateway::bytes);
        return store.commitsInsertsApart() ? batching.apart(Command.Insert.class::isInstance) : batching;
    }

    /** Only results are large. */
    private static long bytes(Command command) {
        return command instanceof Command.Settle settle && settle.result() != null
                ? settle.result().size()
                : 0;
    }

    /** The clock and the random numbers of everything that uses this store. */
    Environment environment() {
        return environment;
    }

    /**
     * Applies one command. Fails with a {@link StoreException} only. The verdict is never an error.
     *
     * @param caller the thread that only waits for the answer, if there is one. If it is the current thread and the lane is
     *     idle, it makes the call itself.
     */
    RetriedCall<Verdict> submit(Command command, Duration keepTrying, @Nullable Thread caller) {
        if (command instanceof Command.Insert insert && !insert.aliases().isEmpty()) {
            // Alone and outside the lanes, because it is a transaction over several rows.
            return send(
                    keepTrying,
                    () -> workers.call(() -> observed(StoreCall.Kind.APPLY, 1, () -> store.apply(List.of(command)))
                            .get(0)));
        }
        return send(keepTrying, () -> inLane(commands, command, keepTrying, caller));
    }

    /** Applies many commands in one call, outside the lanes. The verdicts are in their order and may be errors. */
    RetriedCall<List<Verdict>> submitAll(List<? extends Command> batch, Duration keepTrying) {
        return send(
                keepTrying,
                () -> workers.call(() -> observed(StoreCall.Kind.APPLY, batch.size(), () -> store.apply(batch))));
    }

    private <E, R> CompletableFuture<R> inLane(
            Lanes<E, R> lanes, E entry, Duration keepTrying, @Nullable Thread caller) {
        if (caller != Thread.currentThread() || !callers.tryAcquire()) {
            return lanes.submit(entry);
        }
        CompletableFuture<R> answer;
        try {
            answer = lanes.submitOrRun(entry);
        } finally {
            callers.release();
        }
        awaitShortly(answer, keepTrying);
        return answer;
    }

    /**
     * A caller that only waits for the answer waits here first. What follows the answer then runs on its own thread, without a
     * deadline or a callback. If the store is slow, it waits like everybody else.
     */
    private static void awaitShortly(CompletableFuture<?> answer, Duration keepTrying) {
        if (answer.isDone()) {
            return;
        }
        try {
            answer.get(Math.min(SHORT_WAIT_MILLIS, keepTrying.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            // Handled by what follows the answer.
        }
    }

    RetriedCall<Optional<Snapshot>> read(ClaimRef ref, Duration keepTrying, @Nullable Thread caller) {
        return send(keepTrying, () -> inLane(reads, ref, keepTrying, caller));
    }

    /** Reads a claim in a call of its own, outside the lanes, so that its result is not omitted. */
    RetriedCall<Optional<Snapshot>> readAlone(ClaimRef ref, Duration keepTrying) {
        return send(
                keepTrying,
                () -> workers.call(() ->
                        Optional.ofNullable(observed(StoreCall.Kind.READ, 1, () -> store.read(List.of(ref)))
                                .get(ref))));
    }

    private List<Optional<Snapshot>> readAll(List<ClaimRef> refs) {
        Map<ClaimRef, Snapshot> found = store.read(refs);
        return refs.stream().map(ref -> Optional.ofNullable(found.get(ref))).toList();
    }

    /** Sweeps one batch, without retries: the schedule brings the next sweep. */
    CompletableFuture<SweepReport> sweep(int limit) {
        return call(() -> observed(StoreCall.Kind.SWEEP, limit, () -> store.sweep(limit)), SWEEP_BOUND);
    }

    /** Makes another blocking call, without retries. */
    <R> CompletableFuture<R> call(Supplier<R> work, Duration bound) {
        return answeredWithin(bound, send(Duration.ZERO, () -> workers.call(work)));
    }

    /** The same answer, or a failure once this time is over. The call itself goes on. */
    <R> CompletableFuture<R> answeredWithin(Duration bound, CompletableFuture<R> call) {
        return call instanceof RetriedCall<?> retried
                ? answeredWithin(bound, call, retried)
                : deadlines.within(bound, call);
    }

    /** As {@link #answeredWithin(Duration, CompletableFuture)}, for what follows a call. The failure is that of its latest try. */
    <R> CompletableFuture<R> answeredWithin(Duration bound, CompletableFuture<R> answer, RetriedCall<?> call) {
        return deadlines.within(bound, answer, call::late);
    }

    /** Refuses further calls on callers' threads and waits for the running ones. */
    boolean awaitCallers(Duration bound) throws InterruptedException {
        // Only once: an engine may be closed twice, and the permits are never released.
        callersEnded = callersEnded || callers.tryAcquire(MAX_CALLERS, bound.toMillis(), TimeUnit.MILLISECONDS);
        return callersEnded;
    }

    /** Fails all open calls. Call it after the workers and the timer have ended. */
    void close() {
        deadlines.close();
    }

    private <R> RetriedCall<R> send(Duration keepTrying, Supplier<CompletableFuture<R>> call) {
        return RetriedCall.of(environment, call, keepTrying, timer, deadlines);
    }

    static StoreException late() {
        return new StoreException(Kind.UNREACHABLE, "The store did not answer in time");
    }

    static StoreException closed() {
        return new StoreException(Kind.UNREACHABLE, "Semel is closed");
    }

    /** The message of a store's failure, or the whole exception if it is a defect. */
    static String messageOf(Throwable cause) {
        String message = cause.getMessage();
        return cause instanceof StoreException && message != null ? message : cause.toString();
    }
}
