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
 * Events for a {@link WebhookHandler}.
 *
 * <ol>
 *   <li>All events are claimed in one call to the store. By key alone: what failed may come again with other content.
 *   <li>The payments of those that were granted are claimed in a second call, so that no duplicate touches a payment.
 *   <li>What was granted is handled, one after the other in the delivery's order, and settled: payment before event, so
 *       that whoever dies between the two leaves an event that finds its payment done. An event whose claim was lost
 *       before its turn is not handled; it is answered like an event of another delivery.
 *   <li>Only then others are waited for: whoever waits holds nothing that the other needs to go on. The one exception, an
 *       event whose payment another event is making, is safe because that other has all it needs. What comes of the waiting
 *       is handled one after the other too, so that a delivery holds one excerpt at a time.
 * </ol>
 */
final class HandlerProcessor implements EventProcessor {
    /** Until when a delivery waits for others, and the turns of those of its events that waited. */
    private record Delivery(long deadline, HandlerQueue turns) {
        Delivery(long deadline) {
            this(deadline, new HandlerQueue());
        }
    }

    private static final ClaimOutcome RUNNING = new ClaimOutcome.InProgress(Duration.ZERO);

    private final Semel semel;
    private final GateSettings settings;
    private final HandlerCalls handling;
    private final ContentSketches memory;
    private final GateReporter notices;
    private final DuplicateWait waiting;

    HandlerProcessor(
            Semel semel, WebhookHandler handler, GateSettings settings, ContentSketches memory, GateReporter notices) {
        this.semel = semel;
        this.settings = settings;
        this.handling = new HandlerCalls(handler, memory, notices);
        this.memory = memory;
        this.notices = notices;
        this.waiting = new DuplicateWait(semel);
    }

    @Override
    public CompletionStage<List<EventStatus>> deliver(List<IncomingEvent> events, long deadline) {
        List<ClaimRequest> requests = events.stream()
                .map(event -> new ClaimRequest(event.key(), Fingerprint.NONE, settings.event()))
                .toList();
        long sent = System.nanoTime();
        return semel.claimAll(requests).thenCompose(outcomes -> {
            Map<Integer, HeldClaim> ours = held(outcomes, sent);
            long paymentsSent = System.nanoTime();
            return claimPayments(events, ours)
                    .thenCompose(payments -> handle(events, ours, payments, paymentsSent)
                            .thenCompose(started -> Futures.all(
                                    rest(events, outcomes, ours, payments, started, new Delivery(deadline)))));
        });
    }

    /** Those that were granted, by their position. */
    private Map<Integer, HeldClaim> held(List<ClaimOutcome> outcomes, long sent) {
        Map<Integer, HeldClaim> ours = new HashMap<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof ClaimOutcome.Granted granted) {
                ours.put(i, HeldClaim.of(semel, granted.claim(), sent));
            }
        }
        return ours;
    }

    private CompletionStage<Map<Integer, ClaimOutcome>> claimPayments(
            List<IncomingEvent> events, Map<Integer, HeldClaim> ours) {
        List<Integer> paying = ours.keySet().stream()
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

    /** Handles what can be handled without waiting, in order. The answer has their positions, once all have ended. */
    private CompletionStage<Map<Integer, Start>> handle(
            List<IncomingEvent> events,
            Map<Integer, HeldClaim> ours,
            Map<Integer, ClaimOutcome> payments,
            long paymentsSent) {
        Map<Integer, Start> started = new HashMap<>();
        CompletionStage<?> before = CompletableFuture.completedFuture(null);
        for (int i = 0; i < events.size(); i++) {
            int position = i;
            HeldClaim claim = ours.get(i);
            ClaimOutcome payment = payments.get(i);
            if (claim == null || !(payment == null || payment instanceof ClaimOutcome.Granted)) {
                continue;
            }
            HeldClaim paid = payment instanceof ClaimOutcome.Granted granted
                    ? HeldClaim.of(semel, granted.claim(), paymentsSent)
                    : null;
            before = before.thenCompose(done -> handling.begin(events.get(position), claim, paid))
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
            Map<Integer, HeldClaim> ours,
            Map<Integer, ClaimOutcome> payments,
            Map<Integer, Start> started,
            Delivery delivery) {
        List<CompletionStage<EventStatus>> statuses = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            IncomingEvent event = events.get(i);
            Start start = started.get(i);
            HeldClaim claim = ours.get(i);
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

    /** An event whose claim was ours when it was its turn, or was lost by then. */
    private CompletionStage<EventStatus> status(IncomingEvent event, HeldClaim claim, Start start, Delivery delivery) {
        if (start instanceof Start.Begun begun) {
            return begun.status();
        }
        Start.NotBegun not = (Start.NotBegun) start;
        return not.givenBack().thenCompose(done -> switch (not.reason()) {
            // Also where duplicates are acknowledged at once: it is not known that anybody is processing it.
            case EVENT_LOST -> waitFor(event, delivery);
            case PAYMENT_LOST -> byPayment(event, claim, RUNNING, delivery);
            case UNKNOWN -> CompletableFuture.completedFuture(EventStatus.UNAVAILABLE);
        });
    }

    private CompletionStage<EventStatus> begin(
            IncomingEvent event, HeldClaim claim, @Nullable HeldClaim payment, Delivery delivery) {
        return delivery.turns()
                .next(() -> handling.begin(event, claim, payment))
                .thenCompose(start -> status(event, claim, start, delivery));
    }

    /** An event that is not ours. */
    private CompletionStage<EventStatus> answer(IncomingEvent event, ClaimOutcome outcome, Delivery delivery) {
        if (outcome instanceof ClaimOutcome.InProgress) {
            return settings.inFlight() == InFlight.ACKNOWLEDGE
                    ? CompletableFuture.completedFuture(EventStatus.ALREADY_PROCESSED)
                    : waitFor(event, delivery);
        }
        return CompletableFuture.completedFuture(status(event, outcome));
    }

    private CompletionStage<EventStatus> waitFor(IncomingEvent event, Delivery delivery) {
        return waiting.forThe(event.key(), settings.event(), delivery.deadline())
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

    /** An event that is ours, whose payment may not be. */
    private CompletionStage<EventStatus> byPayment(
            IncomingEvent event, HeldClaim claim, ClaimOutcome payment, Delivery delivery) {
        if (payment instanceof ClaimOutcome.Granted granted) {
            return begin(event, claim, HeldClaim.of(semel, granted.claim()), delivery);
        }
        if (payment instanceof ClaimOutcome.Succeeded || payment instanceof ClaimOutcome.Failed) {
            return handling.donePayment(event, claim);
        }
        if (payment instanceof ClaimOutcome.InProgress && delivery.deadline() > System.nanoTime()) {
            ClaimKey key = event.payment().orElseThrow();
            return waiting.forThe(AliasedKey.of(key), settings.payment(), delivery.deadline())
                    .thenCompose(ended -> ended instanceof DuplicateWait.Ended.With with
                            ? byPayment(event, claim, with.outcome(), delivery)
                            : givenBack(claim, EventStatus.FAILED));
        }
        return givenBack(
                claim, payment instanceof ClaimOutcome.Unavailable ? EventStatus.UNAVAILABLE : EventStatus.IN_PROGRESS);
    }

    private static CompletionStage<EventStatus> givenBack(HeldClaim claim, EventStatus status) {
        return claim.giveBack().thenApply(done -> status);
    }

    private EventStatus status(IncomingEvent event, @Nullable ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Succeeded succeeded) {
            memory.difference(succeeded.result(), event).ifPresent(difference -> notices.differs(event, difference));
            return EventStatus.ALREADY_PROCESSED;
        }
        if (outcome instanceof ClaimOutcome.Failed) {
            // Somebody decided that it shall not be processed.
            return EventStatus.ALREADY_PROCESSED;
        }
        return outcome instanceof ClaimOutcome.Unavailable ? EventStatus.UNAVAILABLE : EventStatus.IN_PROGRESS;
    }

    @Override
    public CompletionStage<EventStatus> again(IncomingEvent event, EventReplay replay) {
        long sent = System.nanoTime();
        return semel.claim(event.key(), Fingerprint.NONE, settings.event(), Duration.ZERO)
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.Granted granted
                        ? replayed(event, HeldClaim.of(semel, granted.claim(), sent), replay)
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }

    /** Nobody else knows the key of a replay, so a claim that was lost has no other owner to wait for. */
    private CompletionStage<EventStatus> replayed(IncomingEvent event, HeldClaim claim, EventReplay replay) {
        return handling.begin(event, claim, null, replay.audit())
                .thenCompose(start -> start instanceof Start.Begun begun
                        ? begun.status()
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }
}
