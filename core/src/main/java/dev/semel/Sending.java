// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.lane.Backoff;
import dev.semel.lane.Deadlines;
import dev.semel.spi.Verdict;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call to the store that is made again until its fate is known or its time is over. It fails with a {@link
 * StoreException} only, and completes once nothing of it is under way or waiting: what has not left when its time is over
 * never will.
 */
final class Sending<R> extends CompletableFuture<R> implements Deadlines.Bound {
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 500_000_000;

    private final Supplier<CompletableFuture<R>> call;
    private final ScheduledExecutorService timer;
    private final Deadlines deadlines;
    private final long deadline;
    private volatile @Nullable CompletableFuture<R> attempt;
    private volatile long sent;
    private volatile boolean mayHaveTakenEffect;

    private Sending(
            Supplier<CompletableFuture<R>> call,
            Duration keepTrying,
            ScheduledExecutorService timer,
            Deadlines deadlines) {
        this.call = call;
        this.timer = timer;
        this.deadlines = deadlines;
        this.deadline = System.nanoTime() + Deadlines.nanos(keepTrying);
    }

    /**
     * Makes the call for the first time.
     *
     * @param call each try; cancelling one that has not left yet takes it back, and one that has left cannot be cancelled
     * @param keepTrying zero makes it once, however long it waits for its turn
     */
    static <R> Sending<R> of(
            Supplier<CompletableFuture<R>> call,
            Duration keepTrying,
            ScheduledExecutorService timer,
            Deadlines deadlines) {
        Sending<R> sending = new Sending<>(call, keepTrying, timer, deadlines);
        sending.attempt(FIRST_PAUSE_NANOS);
        if (!keepTrying.isZero() && !sending.isDone()) {
            deadlines.add(sending);
            if (sending.isDone()) {
                deadlines.remove(sending);
            }
        }
        return sending;
    }

    /** When the latest try began, in {@link System#nanoTime}. */
    long sent() {
        return sent;
    }

    /** Whether some try may have reached the store without an answer; meaningful once this has failed. */
    boolean mayHaveTakenEffect() {
        return mayHaveTakenEffect;
    }

    @Override
    public long deadline() {
        return deadline;
    }

    /** How long it is until what has not left is taken back. */
    Duration timeLeft() {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    /** Takes back what has not left. What has left ends when its call does. */
    @Override
    public void over() {
        CompletableFuture<R> latest = attempt;
        if (latest != null) {
            latest.cancel(false);
        }
    }

    private void attempt(long pause) {
        sent = System.nanoTime();
        CompletableFuture<R> begun = begun();
        attempt = begun;
        begun.whenComplete((answer, thrown) -> {
            Throwable failure = answer instanceof Verdict.Errored errored ? errored.cause() : thrown;
            if (failure == null) {
                deadlines.remove(this);
                complete(answer);
                return;
            }
            mayHaveTakenEffect |= isUnknown(failure);
            if (mayRepeat(failure) && System.nanoTime() + pause < deadline) {
                attemptLater(pause);
            } else {
                fail(asStoreException(failure));
            }
        });
    }

    private CompletableFuture<R> begun() {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void attemptLater(long pause) {
        try {
            timer.schedule(() -> again(pause), Backoff.jittered(pause), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            fail(StoreGateway.closed());
        }
    }

    private void again(long pause) {
        if (System.nanoTime() - deadline < 0) {
            attempt(Math.min(pause * 2, LONGEST_PAUSE_NANOS));
        } else {
            // The timer was late.
            fail(StoreGateway.late());
        }
    }

    private void fail(StoreException failure) {
        deadlines.remove(this);
        completeExceptionally(failure);
    }

    /** A defect of the store, an {@link Error} included, says nothing about the command: only a rejection is final. */
    private static boolean mayRepeat(Throwable failure) {
        return !(failure instanceof RejectedExecutionException)
                && !(failure instanceof CancellationException)
                && !(failure instanceof StoreException known && known.kind() == Kind.REJECTED);
    }

    private static boolean isUnknown(Throwable failure) {
        return mayRepeat(failure) && !(failure instanceof StoreException known && known.kind() == Kind.BUSY);
    }

    /** A failure that the store did not announce is a defect of it: what it did is not known. */
    static StoreException asStoreException(Throwable failure) {
        if (failure instanceof RejectedExecutionException) {
            return StoreGateway.closed();
        }
        if (failure instanceof CancellationException) {
            return StoreGateway.late();
        }
        return failure instanceof StoreException known
                ? known
                : new StoreException(Kind.UNREACHABLE, "The store failed unexpectedly: " + failure, failure);
    }
}
