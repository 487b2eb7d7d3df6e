// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.payload.compare.Difference;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of storing one event in a {@link RecordingSink}.
 *
 * @param status {@link EventStatus#PROCESSED} if this call stored the event
 * @param difference where the content differs from the stored event; only with {@link EventStatus#ALREADY_PROCESSED}
 */
public record EventResult(EventStatus status, Optional<Difference> difference) {
    public EventResult {
        Objects.requireNonNull(status, "A status must not be null");
        Objects.requireNonNull(difference, "A difference must not be null: it may be empty");
        if (status == EventStatus.INVALID) {
            throw new IllegalArgumentException(
                    "A sink receives readable events only: answer FAILED if an event cannot be stored");
        }
        if (difference.isPresent() && status != EventStatus.ALREADY_PROCESSED) {
            throw new IllegalArgumentException(
                    "Only an event that was already processed can differ, but this is " + status);
        }
    }

    /** A result without a difference. */
    public static EventResult of(EventStatus status) {
        return new EventResult(status, Optional.empty());
    }

    /** The event was stored before with other content. */
    public static EventResult differing(Difference difference) {
        return new EventResult(EventStatus.ALREADY_PROCESSED, Optional.of(difference));
    }
}
