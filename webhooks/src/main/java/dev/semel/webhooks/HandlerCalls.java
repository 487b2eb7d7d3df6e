// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Claim;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import dev.semel.internal.Futures;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Handles an event whose claim we have, and settles the claim by the outcome. */
final class HandlerCalls {
    /** Beside a payment nothing is kept of what was done. */
    private static final StoredResult BY_WEBHOOK = StoredResult.tombstone("it was processed as a webhook");

    private final WebhookHandler handler;
    private final ContentSketches memory;
    private final GateReporter notices;

    HandlerCalls(WebhookHandler handler, ContentSketches memory, GateReporter notices) {
        this.handler = handler;
        this.memory = memory;
        this.notices = notices;
    }

    /** What came of the attempt to begin an event. */
    sealed interface Start {
        /** When the next event may begin; never fails. */
        CompletionStage<?> ended();

        /**
         * The handler was called.
         *
         * @param ended when the handler has ended, well or not
         * @param status when that is written down
         */
        record Begun(CompletionStage<?> ended, CompletionStage<EventStatus> status) implements Start {}

        /**
         * The handler was not called.
         *
         * @param givenBack when the claims that are not needed any more are given back
         */
        record NotBegun(Reason reason, CompletionStage<?> givenBack) implements Start {
            @Override
            public CompletionStage<?> ended() {
                return CompletableFuture.completedFuture(null);
            }
        }
    }

    /** Why an event was not begun. */
    enum Reason {
        /** Its claim was lost; that of its payment was given back. */
        EVENT_LOST,
        /** The claim of its payment was lost; its own is still ours. */
        PAYMENT_LOST,
        /** The store did not answer; both were given back. */
        UNKNOWN
    }

    CompletionStage<Start> begin(IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment) {
        return begin(event, claim, payment, null);
    }

    /**
     * Calls the handler if the claims are still ours. They may have been held for a long time, and another process may
     * have taken over and handled the event.
     *
     * @param reason what stands beside the claim of an event that was handled well, for people
     */
    CompletionStage<Start> begin(
            IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, @Nullable String reason) {
        CompletionStage<HeldClaim.Ours> paid =
                payment == null ? CompletableFuture.completedFuture(HeldClaim.Ours.YES) : payment.ours();
        return claim.ours().thenCombine(paid, (own, both) -> {
            if (own == HeldClaim.Ours.NO) {
                return new Start.NotBegun(Reason.EVENT_LOST, givenBack(payment));
            }
            if (own == HeldClaim.Ours.UNKNOWN || both == HeldClaim.Ours.UNKNOWN) {
                return new Start.NotBegun(Reason.UNKNOWN, givenBack(payment).thenCompose(done -> claim.giveBack()));
            }
            return both == HeldClaim.Ours.NO
                    ? new Start.NotBegun(Reason.PAYMENT_LOST, CompletableFuture.completedFuture(true))
                    : called(event, claim, payment, reason);
        });
    }

    private Start called(IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, @Nullable String reason) {
        CompletableFuture<@Nullable Throwable> ended = called(event, claim.claim());
        return new Start.Begun(ended, ended.thenCompose(failure -> {
            if (failure == null) {
                return done(event, claim, payment, reason);
            }
            notices.failed(event, failure);
            return notDone(claim, payment, failure.getClass().getName()).thenApply(settled -> EventStatus.FAILED);
        }));
    }

    /** Another event of the same payment was processed: this one is done with it. */
    CompletionStage<EventStatus> donePayment(IncomingEvent event, HeldClaim claim) {
        return succeed(event, claim, "another event of the same payment was processed")
                .thenApply(mine -> mine ? EventStatus.PAYMENT_DUPLICATE : EventStatus.UNAVAILABLE);
    }

    private CompletionStage<EventStatus> done(
            IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, @Nullable String reason) {
        // The payment first: of the two it is the one that other events meet.
        CompletionStage<Boolean> paid = payment == null
                ? CompletableFuture.completedFuture(true)
                : payment.settle(Status.SUCCEEDED, BY_WEBHOOK, null);
        return paid.thenCompose(settled -> succeed(event, claim, reason).thenApply(mine -> mine && settled))
                // Done, but it could not be written down: the sender had better come again and meet what is there then.
                .thenApply(mine -> mine ? EventStatus.PROCESSED : EventStatus.UNAVAILABLE);
    }

    private CompletionStage<Boolean> succeed(IncomingEvent event, HeldClaim claim, @Nullable String reason) {
        StoredResult kept = memory.of(
                claim.claim().ref(), event.fingerprint(), event.fragment().json());
        return claim.settle(Status.SUCCEEDED, kept, reason);
    }

    private static CompletionStage<Boolean> notDone(HeldClaim claim, @Nullable HeldClaim payment, String why) {
        String reason = why.length() > 200 ? why.substring(0, 200) : why;
        CompletionStage<Boolean> failed =
                payment == null ? CompletableFuture.completedFuture(true) : payment.fail(reason);
        return failed.thenCompose(done -> claim.fail(reason));
    }

    private static CompletionStage<Boolean> givenBack(@Nullable HeldClaim payment) {
        return payment == null ? CompletableFuture.completedFuture(true) : payment.giveBack();
    }

    /** What the handler failed with; null if it did not. */
    private CompletableFuture<@Nullable Throwable> called(IncomingEvent event, Claim claim) {
        try {
            return Objects.requireNonNull(
                            handler.handle(event.event(claim.attempt(), claim.record())),
                            "A handler must return a stage")
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
