// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Events that a consumer has taken. Nobody else takes them until the lease ends or the consumer gives them back.
 *
 * @param token acknowledges these events or gives them back
 * @param events the oldest first; empty if there was none to take
 */
public record InboxTake(UUID token, List<InboxEvent> events) {
    public InboxTake {
        Objects.requireNonNull(token, "token must not be null");
        events = List.copyOf(events);
    }
}
