// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Claim;
import dev.semel.claim.Status;
import dev.semel.claim.StoredResult;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One event of which we have the claim: handled, and settled by what came of it. */
final class Handling {
    /** Beside a payment nothing is kept of what was done. */
    private static final StoredResult BY_WEBHOOK = StoredResult.tombstone("it was processed as a webhook");

    private final WebhookHandler handler;
    private final Memory memory;
    private final Notices notices;

    Handling(WebhookHandler handler, Memory memory, Notices notices) {
        this.handler = handler;
        this.memory = memory;
        this.notices = notices;
    }

    /**
     * An event whose handler was called.
     *
     * @param ended when the handler has ended, well or not; never fails
     * @param status when that is written down
     */
    record Begun(CompletionStage<?> ended, CompletionStage<EventStatus> status) {}

    Begun begin(Arrival event, Held claim, @Nullable Held payment) {
        return begin(event, claim, payment, null);
    }

    /** @param reason what stands beside the claim of an event that was handled well, for people */
    Begun begin(Arrival event, Held claim, @Nullable Held payment, @Nullable String reason) {
        CompletableFuture<@Nullable Throwable> ended = called(event, claim.claim());
        return new Begun(ended, ended.thenCompose(failure -> {
            if (failure == null) {
                return done(event, claim, payment, reason);
            }
            notices.failed(event, failure);
            return notDone(claim, payment, failure.getClass().getName()).thenApply(settled -> EventStatus.FAILED);
        }));
    }

    /** Another event of the same payment was processed: this one is done with it. */
    CompletionStage<EventStatus> donePayment(Arrival event, Held claim) {
        return succeed(event, claim, "another event of the same payment was processed")
                .thenApply(mine -> mine ? EventStatus.PAYMENT_DUPLICATE : EventStatus.UNAVAILABLE);
    }

    private CompletionStage<EventStatus> done(
            Arrival event, Held claim, @Nullable Held payment, @Nullable String reason) {
        // The payment first: of the two it is the one that other events meet.
        CompletionStage<Boolean> paid = payment == null
                ? CompletableFuture.completedFuture(true)
                : payment.settle(Status.SUCCEEDED, BY_WEBHOOK, null);
        return paid.thenCompose(settled -> succeed(event, claim, reason).thenApply(mine -> mine && settled))
                // Done, but it could not be written down: the sender had better come again and meet what is there then.
                .thenApply(mine -> mine ? EventStatus.PROCESSED : EventStatus.UNAVAILABLE);
    }

    private CompletionStage<Boolean> succeed(Arrival event, Held claim, @Nullable String reason) {
        StoredResult kept = memory.of(
                claim.claim().ref(), event.fingerprint(), event.fragment().json());
        return claim.settle(Status.SUCCEEDED, kept, reason);
    }

    private static CompletionStage<Boolean> notDone(Held claim, @Nullable Held payment, String why) {
        String reason = why.length() > 200 ? why.substring(0, 200) : why;
        CompletionStage<Boolean> given =
                payment == null ? CompletableFuture.completedFuture(true) : payment.fail(reason);
        return given.thenCompose(done -> claim.fail(reason));
    }

    /** What the handler failed with; null if it did not. */
    private CompletableFuture<@Nullable Throwable> called(Arrival event, Claim claim) {
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
