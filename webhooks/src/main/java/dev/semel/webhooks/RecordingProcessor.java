// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.Claim;
import dev.semel.ClaimOutcome;
import dev.semel.Semel;
import dev.semel.claim.AliasedKey;
import dev.semel.claim.ClaimKey;
import dev.semel.claim.Fingerprint;
import dev.semel.claim.RecordId;
import dev.semel.claim.Status;
import dev.semel.internal.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Passes events to a {@link RecordingSink}, which claims them itself. The events of a large delivery are passed in batches. A
 * batch that fails does not prevent the next one.
 */
final class RecordingProcessor implements EventProcessor {
    private final Semel semel;
    private final RecordingSink sink;
    private final GateSettings settings;
    private final GateReporter reporter;

    RecordingProcessor(Semel semel, RecordingSink sink, GateSettings settings, GateReporter reporter) {
        this.semel = semel;
        this.sink = sink;
        this.settings = settings;
        this.reporter = reporter;
    }

    @Override
    public CompletionStage<List<EventStatus>> deliver(List<IncomingEvent> events, long deadline) {
        List<List<IncomingEvent>> batches = EventBatches.of(events);
        CompletionStage<List<EventResult>> results = batches.size() == 1
                ? recorded(events, maxWait(events, deadline))
                : inBatches(batches, batch -> Duration.ZERO).thenCompose(first -> waited(events, first, deadline));
        return results.thenApply(all -> IntStream.range(0, events.size())
                .mapToObj(i -> status(events.get(i), all.get(i)))
                .toList());
    }

    /** Stores one batch after the other, so that only the excerpts of one batch are in memory. */
    private CompletionStage<List<EventResult>> inBatches(
            List<List<IncomingEvent>> batches, Function<List<IncomingEvent>, Duration> maxWait) {
        List<EventResult> results = new ArrayList<>();
        CompletionStage<?> before = CompletableFuture.completedFuture(null);
        for (List<IncomingEvent> batch : batches) {
            before = before.thenCompose(done -> recorded(batch, maxWait.apply(batch)))
                    .thenAccept(results::addAll);
        }
        return before.thenApply(done -> results);
    }

    /**
     * Waits for events that other callers are storing. All batches were recorded without a wait before, so none of our own
     * events is delayed.
     */
    private CompletionStage<List<EventResult>> waited(
            List<IncomingEvent> events, List<EventResult> first, long deadline) {
        List<Integer> running = IntStream.range(0, events.size())
                .filter(i -> first.get(i).status() == EventStatus.IN_PROGRESS)
                .filter(i -> !acknowledgesRunning(events.get(i)))
                .boxed()
                .toList();
        if (running.isEmpty()) {
            return CompletableFuture.completedFuture(first);
        }
        List<IncomingEvent> again = running.stream().map(events::get).toList();
        return inBatches(EventBatches.of(again), batch -> maxWait(batch, deadline))
                .thenApply(second -> {
                    List<EventResult> all = new ArrayList<>(first);
                    for (int i = 0; i < again.size(); i++) {
                        all.set(running.get(i), second.get(i));
                    }
                    return all;
                });
    }

    private Duration maxWait(List<IncomingEvent> events, long deadline) {
        boolean waits = events.stream().anyMatch(event -> !acknowledgesRunning(event));
        return Duration.ofNanos(waits ? Math.max(0, deadline - System.nanoTime()) : 0);
    }

    /** The sink's results. If the sink fails, every event is {@link EventStatus#UNAVAILABLE}. */
    private CompletionStage<List<EventResult>> recorded(List<IncomingEvent> events, Duration maxWait) {
        return callSink(events, maxWait).handle((results, failure) -> {
            if (failure == null && results.size() == events.size()) {
                return results;
            }
            reporter.unexpected(
                    failure == null
                            ? new IllegalStateException("The sink must return one result for each event")
                            : Futures.unwrapped(failure));
            return events.stream()
                    .map(event -> EventResult.of(EventStatus.UNAVAILABLE))
                    .toList();
        });
    }

    private CompletionStage<List<EventResult>> callSink(List<IncomingEvent> events, Duration maxWait) {
        try {
            return sink.record(events.stream().map(this::request).toList(), maxWait);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Whether an event is acknowledged while another caller is storing it. An event with a payment is not: it may be
     * waiting for a confirmation of that payment. If the confirmation fails, the event is not stored anywhere, so the
     * sender must retry.
     */
    private boolean acknowledgesRunning(IncomingEvent event) {
        return settings.inFlight() == InFlight.ACK && event.payment().isEmpty();
    }

    private RecordRequest request(IncomingEvent event) {
        Duration ttl = settings.event().ttl().orElseThrow();
        return new RecordRequest(
                event.key(),
                event.strength(),
                event.payment(),
                ttl,
                settings.payment().ttl().orElse(ttl),
                event.prefix(),
                event.fingerprint(),
                event.event(1, recordOf(event)));
    }

    /** No record exists yet. The id is derived from the key, so that child keys are the same on every delivery. */
    private RecordId recordOf(IncomingEvent event) {
        byte[] digest = semel.refOf(event.key().key()).digest().bytes();
        return new RecordId(Arrays.copyOf(digest, RecordId.LENGTH));
    }

    private EventStatus status(IncomingEvent event, EventResult result) {
        result.difference().ifPresent(difference -> reporter.differs(event, difference));
        return result.status() == EventStatus.IN_PROGRESS && acknowledgesRunning(event)
                ? EventStatus.ALREADY_PROCESSED
                : result.status();
    }

    /** The sink stores the event under a new key. A separate claim records the actor and the reason. */
    @Override
    public CompletionStage<EventStatus> replay(IncomingEvent event, EventReplay order) {
        ClaimKey key = event.key().key();
        return semel.claim(AliasedKey.of(key), Fingerprint.NONE, settings.event(), Duration.ZERO)
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.Granted granted
                        ? audited(event, granted.claim(), order)
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }

    private CompletionStage<EventStatus> audited(IncomingEvent event, Claim claim, EventReplay order) {
        return deliver(List.of(event), System.nanoTime()).thenCompose(statuses -> {
            EventStatus status = statuses.get(0);
            Status settled = status == EventStatus.PROCESSED ? Status.SUCCEEDED : Status.RETRYABLE;
            return semel.settle(claim, settled, null, order.audit()).thenApply(done -> status);
        });
    }
}
