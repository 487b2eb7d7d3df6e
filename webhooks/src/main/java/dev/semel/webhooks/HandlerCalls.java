// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Claim;
import dev.semel.Semel;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls the handler for an event whose claim this delivery holds, and settles the claim with the outcome. */
final class HandlerCalls {
    /** The result of a payment's claim. Nothing of the event is stored with it. */
    private static final StoredResult BY_WEBHOOK = StoredResult.tombstone("it was processed as a webhook");

    private final Semel semel;
    private final EventHandler handler;
    private final ContentSketches sketches;
    private final GateReporter reporter;

    HandlerCalls(Semel semel, EventHandler handler, ContentSketches sketches, GateReporter reporter) {
        this.semel = semel;
        this.handler = handler;
        this.sketches = sketches;
        this.reporter = reporter;
    }

    /** The outcome of the attempt to begin an event. */
    sealed interface Start {
        /** Completes when the next event may begin. Never fails. */
        CompletionStage<?> ended();

        /**
         * The handler was called.
         *
         * @param ended completes when the handler has ended, with or without a failure
         * @param status completes when the claims are settled
         */
        record Called(CompletionStage<?> ended, CompletionStage<EventStatus> status) implements Start {}

        /**
         * The handler was not called.
         *
         * @param released completes when the claims that are no longer needed are released
         */
        record NotCalled(Reason reason, CompletionStage<?> released) implements Start {
            @Override
            public CompletionStage<?> ended() {
                return CompletableFuture.completedFuture(null);
            }
        }
    }

    /** Why the handler was not called for an event. */
    enum Reason {
        /** The event's claim was lost. The payment's claim was released. */
        EVENT_LOST,
        /** The payment's claim was lost. This delivery still owns the event's claim. */
        PAYMENT_LOST,
        /** The store is unavailable. Both claims were released. */
        UNKNOWN
    }

    CompletionStage<Start> begin(IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment) {
        return begin(event, claim, payment, null);
    }

    /**
     * Calls the handler if this delivery still owns the claims. They may have been held for a long time, and another
     * process may have taken over and handled the event.
     *
     * @param reason a note that is stored with the claim after a success
     */
    CompletionStage<Start> begin(
            IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, @Nullable String reason) {
        CompletionStage<HeldClaim.State> paid =
                payment == null ? CompletableFuture.completedFuture(HeldClaim.State.OWNED) : payment.verify();
        return claim.verify().thenCombine(paid, (eventState, paymentState) -> {
            if (eventState == HeldClaim.State.LOST) {
                return new Start.NotCalled(Reason.EVENT_LOST, released(payment));
            }
            if (eventState == HeldClaim.State.UNKNOWN || paymentState == HeldClaim.State.UNKNOWN) {
                return new Start.NotCalled(Reason.UNKNOWN, released(payment).thenCompose(done -> claim.release()));
            }
            return paymentState == HeldClaim.State.LOST
                    ? new Start.NotCalled(Reason.PAYMENT_LOST, CompletableFuture.completedFuture(true))
                    : call(event, claim, payment, reason);
        });
    }

    private Start call(IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, @Nullable String reason) {
        CompletableFuture<@Nullable Throwable> ended = callHandler(event, claim.claim());
        return new Start.Called(ended, ended.thenCompose(failure -> {
            if (failure == null) {
                return settleSuccess(event, claim, payment, reason);
            }
            reporter.failed(event, failure);
            return settleFailure(claim, payment, failure.getClass().getName()).thenApply(settled -> EventStatus.FAILED);
        }));
    }

    /** Settles an event without calling the handler, because another event of the same payment was processed. */
    CompletionStage<EventStatus> settlePaymentDuplicate(IncomingEvent event, HeldClaim claim) {
        return succeed(event, claim, "another event of the same payment was processed")
                .thenApply(confirmed -> confirmed ? EventStatus.PAYMENT_DUPLICATE : EventStatus.UNAVAILABLE);
    }

    private CompletionStage<EventStatus> settleSuccess(
            IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, @Nullable String reason) {
        // The payment is settled first, because other events depend on it.
        CompletionStage<Boolean> paid = payment == null
                ? CompletableFuture.completedFuture(true)
                : payment.settle(Status.SUCCEEDED, BY_WEBHOOK, null);
        return paid.thenCompose(settled -> succeed(event, claim, reason).thenApply(confirmed -> confirmed && settled))
                // The handler succeeded, but that could not be stored. The sender must retry to learn the stored
                // outcome.
                .thenApply(confirmed -> confirmed ? EventStatus.PROCESSED : EventStatus.UNAVAILABLE);
    }

    private CompletionStage<Boolean> succeed(IncomingEvent event, HeldClaim claim, @Nullable String reason) {
        StoredResult kept = sketches.of(
                claim.claim().ref(), event.fingerprint(), event.fragment().json());
        return claim.settle(Status.SUCCEEDED, kept, reason);
    }

    private static CompletionStage<Boolean> settleFailure(HeldClaim claim, @Nullable HeldClaim payment, String why) {
        String reason = why.length() > 200 ? why.substring(0, 200) : why;
        CompletionStage<Boolean> failed =
                payment == null ? CompletableFuture.completedFuture(true) : payment.fail(reason);
        return failed.thenCompose(done -> claim.fail(reason));
    }

    private static CompletionStage<Boolean> released(@Nullable HeldClaim payment) {
        return payment == null ? CompletableFuture.completedFuture(true) : payment.release();
    }

    /** Calls the handler. The value is its failure, or null if it succeeded. */
    private CompletableFuture<@Nullable Throwable> callHandler(IncomingEvent event, Claim claim) {
        try {
            return semel.inCallersContext(Objects.requireNonNull(
                            handler.handle(event.event(claim.attempt(), claim.record())),
                            "A handler must return a stage"))
                    .handle((value, failure) -> failure == null ? null : Futures.unwrapped(failure))
                    .toCompletableFuture();
        } catch (Throwable e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return CompletableFuture.completedFuture(e);
        }
    }
}
