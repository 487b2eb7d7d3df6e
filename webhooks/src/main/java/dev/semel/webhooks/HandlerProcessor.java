// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.internal.Futures;
import dev.semel.webhooks.HandlerCalls.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Claims the events of a delivery, passes the new ones to a {@link EventHandler} and settles them.
 *
 * <ol>
 *   <li>Claim all events in one call to the store, by key alone: a failed event may be retried with other content.
 *   <li>Claim the payments of the granted events in a second call, so that no duplicate claims a payment.
 *   <li>Handle the granted events one at a time, in the delivery's order, and settle each: the payment before the event. If the
 *       process dies between the two, the event's retry finds its payment done. An event whose claim was lost in the meantime
 *       is not handled; it is answered like an event of another delivery.
 *   <li>Only then wait for events that other deliveries hold. A waiting delivery holds no claim that another one needs, so two
 *       deliveries cannot wait for each other. The one exception is an event that waits for its payment: the owner of that
 *       payment already has all of its claims. Events that are granted after the wait are handled one at a time too, so that a
 *       delivery holds one excerpt in memory.
 * </ol>
 */
final class HandlerProcessor implements EventProcessor {
    /** The deadline of one delivery, and the queue of its events that were granted after a wait. */
    private record Delivery(long deadline, HandlerQueue queue) {
        Delivery(long deadline) {
            this(deadline, new HandlerQueue());
        }
    }

    private static final ClaimOutcome RUNNING = new ClaimOutcome.InProgress(Duration.ZERO);

    private final Semel semel;
    private final GateSettings settings;
    private final HandlerCalls calls;
    private final ContentSketches sketches;
    private final GateReporter reporter;
    private final DuplicateWait wait;

    HandlerProcessor(
            Semel semel, EventHandler handler, GateSettings settings, ContentSketches sketches, GateReporter reporter) {
        this.semel = semel;
        this.settings = settings;
        this.calls = new HandlerCalls(semel, handler, sketches, reporter);
        this.sketches = sketches;
        this.reporter = reporter;
        this.wait = new DuplicateWait(semel);
    }

    @Override
    public CompletionStage<List<EventStatus>> deliver(List<IncomingEvent> events, long deadline) {
        List<ClaimRequest> requests = events.stream()
                .map(event -> new ClaimRequest(event.key(), Fingerprint.NONE, settings.event()))
                .toList();
        long sent = System.nanoTime();
        return semel.claimAll(requests).thenCompose(outcomes -> {
            Map<Integer, HeldClaim> held = granted(outcomes, sent);
            long paymentsSent = System.nanoTime();
            return claimPayments(events, held)
                    .thenCompose(payments -> handle(events, held, payments, paymentsSent)
                            .thenCompose(started -> Futures.all(
                                    rest(events, outcomes, held, payments, started, new Delivery(deadline)))));
        });
    }

    /** The granted claims, by the position of their events. */
    private Map<Integer, HeldClaim> granted(List<ClaimOutcome> outcomes, long sent) {
        Map<Integer, HeldClaim> held = new HashMap<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof ClaimOutcome.Granted granted) {
                held.put(i, HeldClaim.of(semel, granted.claim(), sent));
            }
        }
        return held;
    }

    private CompletionStage<Map<Integer, ClaimOutcome>> claimPayments(
            List<IncomingEvent> events, Map<Integer, HeldClaim> held) {
        List<Integer> paying = held.keySet().stream()
                .sorted()
                .filter(i -> events.get(i).payment().isPresent())
                .toList();
        if (paying.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        List<ClaimRequest> requests = paying.stream()
                .map(i -> events.get(i).payment().orElseThrow())
                .map(key -> ClaimRequest.of(key, Fingerprint.NONE, settings.payment()))
                .toList();
        return semel.claimAll(requests).thenApply(outcomes -> {
            Map<Integer, ClaimOutcome> payments = new HashMap<>();
            for (int i = 0; i < outcomes.size(); i++) {
                payments.put(paying.get(i), outcomes.get(i));
            }
            return payments;
        });
    }

    /** Handles the events that need no wait, in order. The result has an entry for each of their positions. */
    private CompletionStage<Map<Integer, Start>> handle(
            List<IncomingEvent> events,
            Map<Integer, HeldClaim> held,
            Map<Integer, ClaimOutcome> payments,
            long paymentsSent) {
        Map<Integer, Start> started = new HashMap<>();
        CompletionStage<?> before = CompletableFuture.completedFuture(null);
        for (int i = 0; i < events.size(); i++) {
            int position = i;
            HeldClaim claim = held.get(i);
            ClaimOutcome payment = payments.get(i);
            if (claim == null || !(payment == null || payment instanceof ClaimOutcome.Granted)) {
                continue;
            }
            HeldClaim paid = payment instanceof ClaimOutcome.Granted granted
                    ? HeldClaim.of(semel, granted.claim(), paymentsSent)
                    : null;
            before = before.thenCompose(done -> calls.begin(events.get(position), claim, paid))
                    .thenCompose(start -> {
                        started.put(position, start);
                        return start.ended();
                    });
        }
        return before.thenApply(done -> started);
    }

    private List<CompletionStage<EventStatus>> rest(
            List<IncomingEvent> events,
            List<ClaimOutcome> outcomes,
            Map<Integer, HeldClaim> held,
            Map<Integer, ClaimOutcome> payments,
            Map<Integer, Start> started,
            Delivery delivery) {
        List<CompletionStage<EventStatus>> statuses = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            IncomingEvent event = events.get(i);
            Start start = started.get(i);
            HeldClaim claim = held.get(i);
            ClaimOutcome payment = payments.get(i);
            if (claim != null && start != null) {
                statuses.add(status(event, claim, start, delivery));
            } else if (claim != null && payment != null) {
                statuses.add(byPayment(event, claim, payment, delivery));
            } else {
                statuses.add(answer(event, outcomes.get(i), delivery));
            }
        }
        return statuses;
    }

    /** The status of an event whose handler was to be called. */
    private CompletionStage<EventStatus> status(IncomingEvent event, HeldClaim claim, Start start, Delivery delivery) {
        if (start instanceof Start.Called begun) {
            return begun.status();
        }
        Start.NotCalled not = (Start.NotCalled) start;
        return not.released().thenCompose(done -> switch (not.reason()) {
            // Waits even with InFlight.ACK, because it is not known that another delivery is processing the event.
            case EVENT_LOST -> waitFor(event, delivery);
            case PAYMENT_LOST -> byPayment(event, claim, RUNNING, delivery);
            case UNKNOWN -> CompletableFuture.completedFuture(EventStatus.UNAVAILABLE);
        });
    }

    private CompletionStage<EventStatus> begin(
            IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, Delivery delivery) {
        return delivery.queue()
                .add(() -> calls.begin(event, claim, payment))
                .thenCompose(start -> status(event, claim, start, delivery));
    }

    /** The status of an event whose claim was not granted. */
    private CompletionStage<EventStatus> answer(IncomingEvent event, ClaimOutcome outcome, Delivery delivery) {
        if (outcome instanceof ClaimOutcome.InProgress) {
            return settings.inFlight() == InFlight.ACK
                    ? CompletableFuture.completedFuture(EventStatus.ALREADY_PROCESSED)
                    : waitFor(event, delivery);
        }
        return CompletableFuture.completedFuture(status(event, outcome));
    }

    private CompletionStage<EventStatus> waitFor(IncomingEvent event, Delivery delivery) {
        return wait.await(event.key(), settings.event(), delivery.deadline())
                .thenCompose(ended -> waited(event, ended, delivery));
    }

    private CompletionStage<EventStatus> waited(IncomingEvent event, DuplicateWait.Ended ended, Delivery delivery) {
        if (!(ended instanceof DuplicateWait.Ended.With with)) {
            return CompletableFuture.completedFuture(EventStatus.FAILED);
        }
        if (with.outcome() instanceof ClaimOutcome.Granted granted) {
            HeldClaim claim = HeldClaim.of(semel, granted.claim());
            return event.payment()
                    .map(payment -> semel.claim(payment, Fingerprint.NONE, settings.payment(), Duration.ZERO)
                            .thenCompose(outcome -> byPayment(event, claim, outcome, delivery)))
                    .orElseGet(() -> begin(event, claim, null, delivery));
        }
        return CompletableFuture.completedFuture(status(event, with.outcome()));
    }

    /** Continues with an event whose claim is held, depending on the outcome of its payment's claim. */
    private CompletionStage<EventStatus> byPayment(
            IncomingEvent event, HeldClaim claim, ClaimOutcome payment, Delivery delivery) {
        if (payment instanceof ClaimOutcome.Granted granted) {
            return begin(event, claim, HeldClaim.of(semel, granted.claim()), delivery);
        }
        if (payment instanceof ClaimOutcome.Succeeded || payment instanceof ClaimOutcome.Failed) {
            return calls.settlePaymentDuplicate(event, claim);
        }
        if (payment instanceof ClaimOutcome.InProgress && delivery.deadline() > System.nanoTime()) {
            ClaimKey key = event.payment().orElseThrow();
            return wait.await(AliasedKey.of(key), settings.payment(), delivery.deadline())
                    .thenCompose(ended -> ended instanceof DuplicateWait.Ended.With with
                            ? byPayment(event, claim, with.outcome(), delivery)
                            : released(claim, EventStatus.FAILED));
        }
        return released(
                claim, payment instanceof ClaimOutcome.Unavailable ? EventStatus.UNAVAILABLE : EventStatus.IN_PROGRESS);
    }

    private static CompletionStage<EventStatus> released(HeldClaim claim, EventStatus status) {
        return claim.release().thenApply(done -> status);
    }

    private EventStatus status(IncomingEvent event, @Nullable ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded succeeded) {
            sketches.difference(succeeded.result(), event).ifPresent(difference -> reporter.differs(event, difference));
            return EventStatus.ALREADY_PROCESSED;
        }
        if (outcome instanceof ClaimOutcome.Failed) {
            // An operator settled the event as failed permanently.
            return EventStatus.ALREADY_PROCESSED;
        }
        return outcome instanceof ClaimOutcome.Unavailable ? EventStatus.UNAVAILABLE : EventStatus.IN_PROGRESS;
    }

    @Override
    public CompletionStage<EventStatus> replay(IncomingEvent event, EventReplay order) {
        long sent = System.nanoTime();
        return semel.claim(event.key(), Fingerprint.NONE, settings.event(), Duration.ZERO)
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.Granted granted
                        ? replayed(event, HeldClaim.of(semel, granted.claim(), sent), order)
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }

    /** The key of a replay is random, so a lost claim has no other owner to wait for. */
    private CompletionStage<EventStatus> replayed(IncomingEvent event, HeldClaim claim, EventReplay order) {
        return calls.begin(event, claim, null, order.audit())
                .thenCompose(start -> start instanceof Start.Called begun
                        ? begun.status()
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }
}
