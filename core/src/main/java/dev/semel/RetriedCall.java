// SPDX-License-Identifier: Apache-2.0
package dev.semel;

import dev.semel.claim.StoreException;
import dev.semel.claim.StoreException.Kind;
import dev.semel.lane.Backoff;
import dev.semel.lane.Deadlines;
import dev.semel.lane.Environment;
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
 * A call to the store that is repeated until its effect is known or its time is over. It fails with a {@link StoreException}
 * only, and completes when no try is queued or running. A try that has not been sent when the time is over is never sent.
 */
final class RetriedCall<R> extends CompletableFuture<R> implements Deadlines.Bound {
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long MAX_PAUSE_NANOS = 500_000_000;

    private final Environment environment;
    private final Supplier<CompletableFuture<R>> call;
    private final ScheduledExecutorService timer;
    private final Deadlines deadlines;
    private final long deadline;
    private volatile @Nullable CompletableFuture<R> attempt;
    private volatile long sent;
    private volatile boolean mayHaveTakenEffect;

    /** The failure of the latest try that was answered. */
    private volatile @Nullable StoreException earlier;

    private RetriedCall(
            Environment environment,
            Supplier<CompletableFuture<R>> call,
            Duration keepTrying,
            ScheduledExecutorService timer,
            Deadlines deadlines) {
        this.environment = environment;
        this.call = call;
        this.timer = timer;
        this.deadlines = deadlines;
        this.deadline = environment.nanoTime() + Deadlines.nanos(keepTrying);
    }

    /**
     * Makes the first try.
     *
     * @param call makes a try; cancelling its future withdraws a try that has not been sent, and has no effect on others
     * @param keepTrying zero makes one try, however long it is queued
     */
    static <R> RetriedCall<R> of(
            Environment environment,
            Supplier<CompletableFuture<R>> call,
            Duration keepTrying,
            ScheduledExecutorService timer,
            Deadlines deadlines) {
        RetriedCall<R> retried = new RetriedCall<>(environment, call, keepTrying, timer, deadlines);
        retried.attempt(FIRST_PAUSE_NANOS);
        if (!keepTrying.isZero() && !retried.isDone()) {
            deadlines.add(retried);
            if (retried.isDone()) {
                deadlines.remove(retried);
            }
        }
        return retried;
    }

    /** When the latest try began, in {@link Environment#nanoTime}. */
    long sent() {
        return sent;
    }

    /** Whether a try may have reached the store without an answer; meaningful once this has failed. */
    boolean mayHaveTakenEffect() {
        return mayHaveTakenEffect;
    }

    @Override
    public long deadline() {
        return deadline;
    }

    /** How long it takes until a try that has not been sent is withdrawn. */
    Duration timeLeft() {
        return Duration.ofNanos(Math.max(0, deadline - environment.nanoTime()));
    }

    /** Withdraws a try that has not been sent. A try that has been sent ends with its call. */
    @Override
    public void over() {
        CompletableFuture<R> latest = attempt;
        if (latest != null) {
            latest.cancel(false);
        }
    }

    private void attempt(long pause) {
        sent = environment.nanoTime();
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
            StoreException last = failure instanceof CancellationException ? late() : asStoreException(failure);
            earlier = last;
            if (mayRetry(failure) && deadline - environment.nanoTime() > pause) {
                attemptLater(pause);
            } else {
                fail(last);
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
            timer.schedule(() -> again(pause), Backoff.jittered(environment, pause), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            fail(StoreGateway.closed());
        }
    }

    private void again(long pause) {
        if (environment.nanoTime() - deadline < 0) {
            attempt(Math.min(pause * 2, MAX_PAUSE_NANOS));
        } else {
            // The timer was late.
            fail(late());
        }
    }

    /** The failure of the latest try that was answered says more than that the time is over. */
    StoreException late() {
        StoreException known = earlier;
        return known == null ? StoreGateway.late() : known;
    }

    private void fail(StoreException failure) {
        deadlines.remove(this);
        completeExceptionally(failure);
    }

    /** Only a rejection is final. A defect of the store, including an {@link Error}, says nothing about the command. */
    private static boolean mayRetry(Throwable failure) {
        return !(failure instanceof RejectedExecutionException)
                && !(failure instanceof CancellationException)
                && !(failure instanceof StoreException known && known.kind() == Kind.REJECTED);
    }

    private static boolean isUnknown(Throwable failure) {
        return mayRetry(failure) && !(failure instanceof StoreException known && known.kind() == Kind.BUSY);
    }

    /** An unannounced failure is a defect of the store, and its effect is unknown. */
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
