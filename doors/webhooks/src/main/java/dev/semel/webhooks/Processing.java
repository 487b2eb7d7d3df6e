// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.ClaimOutcome;
import dev.semel.ClaimRequest;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
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
 *       that whoever dies between the two leaves an event that finds its payment done.
 *   <li>Only then others are waited for: whoever waits holds nothing that the other needs to go on. The one exception, an
 *       event whose payment another event is making, is safe because that other has all it needs.
 * </ol>
 */
final class Processing implements EventSink {
    private final Semel semel;
    private final GateSettings settings;
    private final Handling handling;
    private final Memory memory;
    private final Notices notices;
    private final Waiting waiting;

    Processing(Semel semel, WebhookHandler handler, GateSettings settings, Memory memory, Notices notices) {
        this.semel = semel;
        this.settings = settings;
        this.handling = new Handling(handler, memory, notices);
        this.memory = memory;
        this.notices = notices;
        this.waiting = new Waiting(semel);
    }

    @Override
    public CompletionStage<List<EventStatus>> deliver(List<Arrival> events, long deadline) {
        List<ClaimRequest> requests = events.stream()
                .map(event -> new ClaimRequest(event.key(), Fingerprint.NONE, settings.event()))
                .toList();
        return semel.claimAll(requests).thenCompose(outcomes -> {
            Map<Integer, Held> ours = held(outcomes);
            return claimPayments(events, ours)
                    .thenCompose(payments -> handle(events, ours, payments)
                            .thenCompose(
                                    begun -> Futures.all(rest(events, outcomes, ours, payments, begun, deadline))));
        });
    }

    /** Those that were granted, by their position. */
    private Map<Integer, Held> held(List<ClaimOutcome> outcomes) {
        Map<Integer, Held> ours = new HashMap<>();
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof ClaimOutcome.Granted granted) {
                ours.put(i, Held.of(semel, granted.claim()));
            }
        }
        return ours;
    }

    private CompletionStage<Map<Integer, ClaimOutcome>> claimPayments(List<Arrival> events, Map<Integer, Held> ours) {
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

    /** Handles what can be without waiting, in order; by position, once all of these have been handled. */
    private CompletionStage<Map<Integer, CompletionStage<EventStatus>>> handle(
            List<Arrival> events, Map<Integer, Held> ours, Map<Integer, ClaimOutcome> payments) {
        Map<Integer, CompletionStage<EventStatus>> begun = new HashMap<>();
        CompletionStage<?> before = CompletableFuture.completedFuture(null);
        for (int i = 0; i < events.size(); i++) {
            int position = i;
            Held claim = ours.get(i);
            ClaimOutcome payment = payments.get(i);
            if (claim == null || !(payment == null || payment instanceof ClaimOutcome.Granted)) {
                continue;
            }
            Held paid = payment instanceof ClaimOutcome.Granted granted ? Held.of(semel, granted.claim()) : null;
            before = before.thenCompose(done -> {
                Handling.Begun one = handling.begin(events.get(position), claim, paid);
                begun.put(position, one.status());
                return one.ended();
            });
        }
        return before.thenApply(done -> begun);
    }

    private List<CompletionStage<EventStatus>> rest(
            List<Arrival> events,
            List<ClaimOutcome> outcomes,
            Map<Integer, Held> ours,
            Map<Integer, ClaimOutcome> payments,
            Map<Integer, CompletionStage<EventStatus>> begun,
            long deadline) {
        List<CompletionStage<EventStatus>> statuses = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            CompletionStage<EventStatus> status = begun.get(i);
            Held claim = ours.get(i);
            ClaimOutcome payment = payments.get(i);
            if (status == null) {
                status = claim == null || payment == null
                        ? answer(events.get(i), outcomes.get(i), deadline)
                        : byPayment(events.get(i), claim, payment, deadline);
            }
            statuses.add(status);
        }
        return statuses;
    }

    /** An event that is not ours. */
    private CompletionStage<EventStatus> answer(Arrival event, ClaimOutcome outcome, long deadline) {
        if (outcome instanceof ClaimOutcome.InProgress) {
            return settings.inFlight() == InFlight.ACKNOWLEDGE
                    ? CompletableFuture.completedFuture(EventStatus.ALREADY_PROCESSED)
                    : waiting.forThe(event.key(), settings.event(), deadline)
                            .thenCompose(ended -> waited(event, ended, deadline));
        }
        return CompletableFuture.completedFuture(status(event, outcome));
    }

    private CompletionStage<EventStatus> waited(Arrival event, Waiting.Ended ended, long deadline) {
        if (!(ended instanceof Waiting.Ended.With with)) {
            return CompletableFuture.completedFuture(EventStatus.FAILED);
        }
        if (with.outcome() instanceof ClaimOutcome.Granted granted) {
            Held claim = Held.of(semel, granted.claim());
            return event.payment()
                    .map(payment -> semel.claim(payment, Fingerprint.NONE, settings.payment(), Duration.ZERO)
                            .thenCompose(outcome -> byPayment(event, claim, outcome, deadline)))
                    .orElseGet(() -> handling.begin(event, claim, null).status());
        }
        return CompletableFuture.completedFuture(status(event, with.outcome()));
    }

    /** An event that is ours, whose payment may not be. */
    private CompletionStage<EventStatus> byPayment(Arrival event, Held claim, ClaimOutcome payment, long deadline) {
        if (payment instanceof ClaimOutcome.Granted granted) {
            return handling.begin(event, claim, Held.of(semel, granted.claim())).status();
        }
        if (payment instanceof ClaimOutcome.Succeeded || payment instanceof ClaimOutcome.Failed) {
            return handling.donePayment(event, claim);
        }
        if (payment instanceof ClaimOutcome.InProgress && deadline > System.nanoTime()) {
            ClaimKey key = event.payment().orElseThrow();
            return waiting.forThe(AliasedKey.of(key), settings.payment(), deadline)
                    .thenCompose(ended -> ended instanceof Waiting.Ended.With with
                            ? byPayment(event, claim, with.outcome(), deadline)
                            : givenBack(claim, EventStatus.FAILED));
        }
        return givenBack(
                claim, payment instanceof ClaimOutcome.Unavailable ? EventStatus.UNAVAILABLE : EventStatus.IN_PROGRESS);
    }

    private static CompletionStage<EventStatus> givenBack(Held claim, EventStatus status) {
        return claim.giveBack().thenApply(done -> status);
    }

    private EventStatus status(Arrival event, @Nullable ClaimOutcome outcome) {
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
    public CompletionStage<EventStatus> again(Arrival event, Replay replay) {
        return semel.claim(event.key(), Fingerprint.NONE, settings.event(), Duration.ZERO)
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.Granted granted
                        ? handling.begin(event, Held.of(semel, granted.claim()), null, replay.audit())
                                .status()
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }
}
