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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Events for a {@link RecordingSink}, which claims them itself. */
final class Recording implements EventSink {
    private final Semel semel;
    private final RecordingSink sink;
    private final GateSettings settings;
    private final Notices notices;

    Recording(Semel semel, RecordingSink sink, GateSettings settings, Notices notices) {
        this.semel = semel;
        this.sink = sink;
        this.settings = settings;
        this.notices = notices;
    }

    @Override
    public CompletionStage<List<EventStatus>> deliver(List<Arrival> events, long deadline) {
        List<RecordRequest> requests = events.stream().map(this::request).toList();
        return recorded(requests, deadline).handle((answers, failure) -> {
            if (failure != null || answers.size() != events.size()) {
                notices.unexpected(failure == null ? new IllegalStateException("answers") : Futures.unwrapped(failure));
                return events.stream().map(event -> EventStatus.UNAVAILABLE).toList();
            }
            List<EventStatus> statuses = new ArrayList<>();
            for (int i = 0; i < events.size(); i++) {
                statuses.add(status(events.get(i), answers.get(i)));
            }
            return statuses;
        });
    }

    private CompletionStage<List<Recorded>> recorded(List<RecordRequest> requests, long deadline) {
        try {
            boolean waits = requests.stream().anyMatch(request -> !acknowledgesRunning(request.payment()));
            long left = waits ? Math.max(0, deadline - System.nanoTime()) : 0;
            return sink.record(requests, Duration.ofNanos(left));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** An event may wait for a payment that somebody confirms. If that fails, nobody has stored the event: it must come again. */
    private boolean acknowledgesRunning(Optional<ClaimKey> payment) {
        return settings.inFlight() == InFlight.ACKNOWLEDGE && payment.isEmpty();
    }

    private RecordRequest request(Arrival event) {
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
    private RecordId recordOf(Arrival event) {
        byte[] digest = semel.refOf(event.key().key()).digest().bytes();
        return new RecordId(Arrays.copyOf(digest, RecordId.LENGTH));
    }

    private EventStatus status(Arrival event, Recorded answer) {
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
        return running && acknowledgesRunning(event.payment())
                ? EventStatus.ALREADY_PROCESSED
                : running ? EventStatus.IN_PROGRESS : EventStatus.UNAVAILABLE;
    }

    /** The sink stores it under a key that nothing has had; who ordered that stands in a claim of its own. */
    @Override
    public CompletionStage<EventStatus> again(Arrival event, Replay replay) {
        ClaimKey key = event.key().key();
        return semel.claim(AliasedKey.of(key), Fingerprint.NONE, settings.event(), Duration.ZERO)
                .thenCompose(outcome -> outcome instanceof ClaimOutcome.Granted granted
                        ? audited(event, granted.claim(), replay)
                        : CompletableFuture.completedFuture(EventStatus.UNAVAILABLE));
    }

    private CompletionStage<EventStatus> audited(Arrival event, Claim claim, Replay replay) {
        return deliver(List.of(event), System.nanoTime()).thenCompose(statuses -> {
            EventStatus status = statuses.get(0);
            Status settled = status == EventStatus.PROCESSED ? Status.SUCCEEDED : Status.RETRYABLE;
            return semel.settle(claim, settled, null, replay.audit()).thenApply(done -> status);
        });
    }
}
