// SPDX-License-Identifier: Apache-2.0
package dev.semel.test;

import dev.semel.ClaimEvent;
import dev.semel.ClaimEvent.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What happened to claims, in its order. {@link SemelAssertions#assertThat(ClaimHistory)} checks it.
 *
 * @param events the events that the engines of the test reported
 */
public record ClaimHistory(List<ClaimEvent> events) {
    private static final Set<Kind> STARTS = Set.of(Kind.GRANTED, Kind.RETRIED, Kind.TAKEN_OVER);
    private static final Set<Kind> REPLAYS = Set.of(Kind.REPLAYED, Kind.FAILURE_REPLAYED, Kind.REJECTION_REPLAYED);

    public ClaimHistory {
        events = List.copyOf(events);
    }

    /**
     * How often work was started: claims that were granted, except those that were given back. A take-over counts too if a
     * probe then found that the effect had happened.
     */
    public long runs() {
        return count(STARTS) - count(Set.of(Kind.GIVEN_BACK));
    }

    /** How often a caller received a stored result, rejection or failure. */
    public long replays() {
        return count(REPLAYS);
    }

    /** How often this happened. */
    public long count(Kind kind) {
        return count(Set.of(kind));
    }

    private long count(Set<Kind> kinds) {
        return events.stream().filter(event -> kinds.contains(event.kind())).count();
    }

    /** The kinds of the events, for messages. */
    @Override
    public String toString() {
        return events.stream()
                .map(event -> event.attempt() == 0 ? event.kind().name() : event.kind() + "#" + event.attempt())
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
