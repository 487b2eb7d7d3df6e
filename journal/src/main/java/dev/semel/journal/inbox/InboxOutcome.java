// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.inbox;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** The outcome of recording an event. */
public sealed interface InboxOutcome {
    /** This call wrote the event, and it is committed. */
    record Recorded(UUID id) implements InboxOutcome {}

    /**
     * One of the event's keys is known. Nothing was written.
     *
     * @param id the existing event; empty if it was never in the inbox, because its payment was known or an operator settled it
     * @param differs whether the existing event has a different body
     */
    record Duplicate(Optional<UUID> id, boolean differs) implements InboxOutcome {}

    /** The event is new, but its payment is known from another event. The event is settled and not in the inbox. */
    record PaymentDuplicate() implements InboxOutcome {}

    /** Another caller is recording the same event, and did not finish within the wait. */
    record InProgress(Duration retryAfter) implements InboxOutcome {}

    /**
     * The event is not known to be committed. If the cause's kind is {@code UNREACHABLE} or {@code BUSY}, send the event again. If
     * it is {@code REJECTED}, the database will never accept the event.
     */
    record Failed(StoreException cause) implements InboxOutcome {}
}
