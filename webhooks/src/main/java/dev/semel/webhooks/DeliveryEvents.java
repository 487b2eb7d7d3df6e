// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.claim.ClaimKey;
import dev.semel.webhooks.WebhookAnswer.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The events of one delivery, in order. Includes unreadable events and duplicates within the delivery. */
final class DeliveryEvents {
    private static final int UNREADABLE = -1;

    private final List<IncomingEvent> distinct = new ArrayList<>();
    private final Map<ClaimKey, Integer> known = new HashMap<>();

    /** The index of each event in {@link #distinct}, or {@link #UNREADABLE}. */
    private final List<Integer> places = new ArrayList<>();

    private Optional<String> problem = Optional.empty();

    void add(IncomingEvent event) {
        List<ClaimKey> keys = new ArrayList<>(event.key().aliases());
        keys.add(event.key().key());
        // Without this, a delivery with a duplicate would wait for its own claim.
        Optional<Integer> same =
                keys.stream().filter(known::containsKey).map(known::get).findFirst();
        int place = same.orElse(distinct.size());
        if (same.isEmpty()) {
            distinct.add(event);
        }
        keys.forEach(key -> known.putIfAbsent(key, place));
        places.add(place);
    }

    void addUnreadable(String why) {
        problem = Optional.of(why);
        places.add(UNREADABLE);
    }

    List<IncomingEvent> distinct() {
        return distinct;
    }

    /** The outcome of every event, given the statuses of the distinct ones. */
    List<WebhookAnswer.Event> answers(List<EventStatus> statuses) {
        List<WebhookAnswer.Event> events = new ArrayList<>();
        boolean[] answered = new boolean[statuses.size()];
        for (int place : places) {
            if (place == UNREADABLE) {
                events.add(new WebhookAnswer.Event("", EventStatus.INVALID));
                continue;
            }
            EventStatus status = statuses.get(place);
            boolean duplicate = answered[place] && status == EventStatus.PROCESSED;
            answered[place] = true;
            events.add(new WebhookAnswer.Event(
                    distinct.get(place).prefix(), duplicate ? EventStatus.ALREADY_PROCESSED : status));
        }
        return events;
    }

    /** The answer to the delivery. It is acknowledged only if every event is done. */
    WebhookAnswer answer(List<WebhookAnswer.Event> events) {
        if (has(events, EventStatus.UNAVAILABLE)) {
            return WebhookAnswer.of(Kind.UNAVAILABLE, "The store is unavailable", events);
        }
        if (has(events, EventStatus.FAILED)) {
            return WebhookAnswer.of(Kind.FAILED, "Retry the delivery: failed events are processed again", events);
        }
        if (has(events, EventStatus.IN_PROGRESS)) {
            return WebhookAnswer.of(
                    Kind.IN_PROGRESS, "Another delivery of the same event is in progress; retry later", events);
        }
        if (problem.isPresent()) {
            return WebhookAnswer.of(Kind.BAD_DELIVERY, problem.get(), events);
        }
        boolean first = events.isEmpty() || has(events, EventStatus.PROCESSED);
        return WebhookAnswer.of(first ? Kind.PROCESSED : Kind.ALREADY_PROCESSED, "", events);
    }

    private static boolean has(List<WebhookAnswer.Event> events, EventStatus status) {
        return events.stream().anyMatch(event -> event.status() == status);
    }
}
