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
 * Events for a {@link RecordingSink}, which claims them itself. Those of a large delivery go to it in waves, and one that
 * fails does not keep the next from it.
 */
final class RecordingProcessor implements EventProcessor {
    private final Semel semel;
    private final RecordingSink sink;
    private final GateSettings settings;
    private final GateReporter notices;

    RecordingProcessor(Semel semel, RecordingSink sink, GateSettings settings, GateReporter notices) {
        this.semel = semel;
        this.sink = sink;
        this.settings = settings;
        this.notices = notices;
    }

    @Override
    public CompletionStage<List<EventStatus>> deliver(List<IncomingEvent> events, long deadline) {
        List<List<IncomingEvent>> waves = EventBatches.of(events);
        CompletionStage<List<Recorded>> answers = waves.size() == 1
                ? recorded(events, left(events, deadline))
                : inWaves(waves, wave -> Duration.ZERO).thenCompose(first -> waited(events, first, deadline));
        return answers.thenApply(all -> {
            List<EventStatus> statuses = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                statuses.add(status(events.get(i), all.get(i)));
            }
            return statuses;
        });
    }

    /** One wave after the other, so that the excerpts of one are held at a time. */
    private CompletionStage<List<Recorded>> inWaves(
            List<List<IncomingEvent>> waves, Function<List<IncomingEvent>, Duration> patience) {
        List<Recorded> answers = new ArrayList<>();
        CompletionStage<?> before = CompletableFuture.completedFuture(null);
        for (List<IncomingEvent> wave : waves) {
            before = before.thenCompose(done -> recorded(wave, patience.apply(wave)))
                    .thenAccept(answers::addAll);
        }
        return before.thenApply(done -> answers);
    }

    /** All waves were recorded without a wait. Only now others are waited for, so that nothing of ours waits with them. */
    private CompletionStage<List<Recorded>> waited(List<IncomingEvent> events, List<Recorded> first, long deadline) {
        List<Integer> running = IntStream.range(0, events.size())
                .filter(i -> first.get(i) instanceof Recorded.InProgress)
                .filter(i -> !acknowledgesRunning(events.get(i)))
                .boxed()
                .toList();
        if (running.isEmpty()) {
            return CompletableFuture.completedFuture(first);
        }
        List<IncomingEvent> again = running.stream().map(events::get).toList();
        return inWaves(EventBatches.of(again), wave -> left(wave, deadline)).thenApply(second -> {
            List<Recorded> all = new ArrayList<>(first);
            for (int i = 0; i < again.size(); i++) {
                all.set(running.get(i), second.get(i));
            }
            return all;
        });
    }

    /** For how long these may wait for others. */
    private Duration left(List<IncomingEvent> events, long deadline) {
        boolean waits = events.stream().anyMatch(event -> !acknowledgesRunning(event));
        return Duration.ofNanos(waits ? Math.max(0, deadline - System.nanoTime()) : 0);
    }

    /** What the sink says; that nothing could be stored if it fails. */
    private CompletionStage<List<Recorded>> recorded(List<IncomingEvent> events, Duration patience) {
        return asked(events, patience).handle((answers, failure) -> {
            if (failure == null && answers.size() == events.size()) {
                return answers;
            }
            notices.unexpected(failure == null ? new IllegalStateException("answers") : Futures.unwrapped(failure));
            return events.stream()
                    .<Recorded>map(event -> new Recorded.Unavailable())
                    .toList();
        });
    }

    private CompletionStage<List<Recorded>> asked(List<IncomingEvent> events, Duration patience) {
        try {
            return sink.record(events.stream().map(this::request).toList(), patience);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** An event may wait for a payment that somebody confirms. If that fails, nobody has stored the event: it must come again. */
    private boolean acknowledgesRunning(IncomingEvent event) {
        return settings.inFlight() == InFlight.ACKNOWLEDGE && event.payment().isEmpty();
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

    /** Nobody has a record yet, but child keys shall be the same whenever the event comes. */
    private RecordId recordOf(IncomingEvent event) {
        byte[] digest = semel.refOf(event.key().key()).digest().bytes();
        return new RecordId(Arrays.copyOf(digest, RecordId.LENGTH));
    }

    private EventStatus status(IncomingEvent event, Recorded answer) {
        if (answer instanceof Recorded.Before before) {
            before.difference().ifPresent(difference -> notices.differs(event, difference));
            return EventStatus.ALREADY_PROCESSED;
        }
        if (answer instanceof Recorded.Stored) {
            return EventStatus.PROCESSED;
        }
        if (answer instanceof Recorded.PaymentDuplicate) {
            return EventStatus.PAYMENT_DUPLICATE;
        }
        boolean running = answer instanceof Recorded.InProgress;
        return running && acknowledgesRunning(event)
                ? EventStatus.ALREADY_PROCESSED
                : running ? EventStatus.IN_PROGRESS : EventStatus.UNAVAILABLE;
    }

    /** The sink stores it under a key that nothing has had; who ordered that stands in a claim of its own. */
    @Override
    public CompletionStage<EventStatus> again(IncomingEvent event, EventReplay replay) {
        ClaimKey key = event.key().key();
        return semel.claim(AliasedKey.of(key), Fingerprint.NONE, settings.event(), Duration.ZERO)
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.Granted granted
                        ? audited(event, granted.claim(), replay)
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }

    private CompletionStage<EventStatus> audited(IncomingEvent event, Claim claim, EventReplay replay) {
        return deliver(List.of(event), System.nanoTime()).thenCompose(statuses -> {
            EventStatus status = statuses.get(0);
            Status settled = status == EventStatus.PROCESSED ? Status.SUCCEEDED : Status.RETRYABLE;
            return semel.settle(claim, settled, null, replay.audit()).thenApply(done -> status);
        });
    }
}
