// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.ClaimRef;
import dev.semel.claim.ClaimStore;
import dev.semel.claim.Command;
import dev.semel.claim.Snapshot;
import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.claim.SweepReport;
import dev.semel.claim.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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

    private static final long FIRST_PAUSE_MICROS = 10_000;
    private static final long LONGEST_PAUSE_MICROS = 500_000;

    private final ClaimStore store;
    private final ExecutorService workers;
    private final ScheduledExecutorService timer;
    private final List<Lane> lanes;
    private final Set<Runnable> onClose = ConcurrentHashMap.newKeySet();

    StoreGateway(ClaimStore store, ExecutorService workers, ScheduledExecutorService timer) {
        this.store = store;
        this.workers = workers;
        this.timer = timer;
        this.lanes = IntStream.range(0, LANES)
                .mapToObj(lane -> new Lane(store, workers))
                .toList();
    }

    /** Applies one command; fails with a {@link StoreException} only. The verdict is never an error. */
    CompletableFuture<Verdict> submit(Command command, Duration keepTrying) {
        if (command instanceof Command.Insert insert && !insert.aliases().isEmpty()) {
            // Alone and outside the lanes: it is a transaction over several rows.
            return persist(keepTrying, onWorker(() -> alone(command)));
        }
        Lane lane = lanes.get(Math.floorMod(command.ref().digest().hashCode(), LANES));
        return persist(keepTrying, () -> lane.submit(command));
    }

    private Verdict alone(Command command) {
        Verdict verdict = store.apply(List.of(command)).get(0);
        if (verdict instanceof Verdict.Errored errored) {
            throw errored.cause();
        }
        return verdict;
    }

    CompletableFuture<Optional<Snapshot>> read(ClaimRef ref, Duration keepTrying) {
        return persist(
                keepTrying,
                onWorker(() -> Optional.ofNullable(store.read(List.of(ref)).get(ref))));
    }

    /** One bounded sweep; not repeated, because the next one on the schedule is. */
    CompletableFuture<SweepReport> sweep(int limit) {
        return persist(Duration.ZERO, onWorker(() -> store.sweep(limit)));
    }

    /** The same answer, or a failure once this time is over; the call itself goes on. */
    <R> CompletableFuture<R> answeredWithin(Duration bound, CompletableFuture<R> call) {
        CompletableFuture<R> answer = call.copy();
        if (answer.isDone()) {
            return answer;
        }
        StoreException late = new StoreException(Kind.UNREACHABLE, "The store did not answer in time");
        try {
            ScheduledFuture<?> alarm =
                    timer.schedule(() -> answer.completeExceptionally(late), bound.toNanos(), TimeUnit.NANOSECONDS);
            answer.whenComplete((result, failure) -> alarm.cancel(false));
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(closed(e));
        }
        return answer;
    }

    /** Answers those whose calls nobody will make any more; to be called once the workers and the timer have ended. */
    void close() {
        onClose.forEach(Runnable::run);
    }

    private <R> CompletableFuture<R> persist(Duration keepTrying, Supplier<CompletableFuture<R>> call) {
        CompletableFuture<R> result = new CompletableFuture<>();
        Runnable end = () -> result.completeExceptionally(closed(null));
        onClose.add(end);
        result.whenComplete((answer, failure) -> onClose.remove(end));
        attempt(call, result, System.nanoTime() + keepTrying.toNanos(), FIRST_PAUSE_MICROS);
        return result;
    }

    private <R> void attempt(
            Supplier<CompletableFuture<R>> call, CompletableFuture<R> result, long deadline, long pause) {
        call.get().whenComplete((answer, failure) -> {
            if (failure == null) {
                result.complete(answer);
            } else if (failure instanceof StoreException known
                    && known.kind() != Kind.REJECTED
                    && System.nanoTime() + pause * 1_000 < deadline) {
                attemptLater(call, result, deadline, pause);
            } else {
                result.completeExceptionally(asStoreException(failure));
            }
        });
    }

    private <R> void attemptLater(
            Supplier<CompletableFuture<R>> call, CompletableFuture<R> result, long deadline, long pause) {
        long jittered = ThreadLocalRandom.current().nextLong(pause / 2, pause + 1);
        long nextPause = Math.min(pause * 2, LONGEST_PAUSE_MICROS);
        try {
            timer.schedule(() -> attempt(call, result, deadline, nextPause), jittered, TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(closed(e));
        }
    }

    private <R> Supplier<CompletableFuture<R>> onWorker(Supplier<R> call) {
        return () -> {
            CompletableFuture<R> result = new CompletableFuture<>();
            try {
                workers.execute(() -> {
                    try {
                        result.complete(call.get());
                    } catch (RuntimeException | Error e) {
                        result.completeExceptionally(e);
                    }
                });
            } catch (RejectedExecutionException e) {
                result.completeExceptionally(closed(e));
            }
            return result;
        };
    }

    /** A failure that the store did not announce is a defect of it: what it did is not known, and nothing is repeated. */
    private static StoreException asStoreException(Throwable failure) {
        return failure instanceof StoreException known
                ? known
                : new StoreException(Kind.UNREACHABLE, "The store failed unexpectedly: " + failure, failure);
    }

    private static StoreException closed(@Nullable RejectedExecutionException cause) {
        return new StoreException(Kind.UNREACHABLE, "Semel is closed", cause);
    }
}
