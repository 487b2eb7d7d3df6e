// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What came of an event. */
public sealed interface InboxOutcome {
    /** It is committed, by this call. */
    record Recorded(UUID id) implements InboxOutcome {}

    /**
     * One of its names is known; nothing was written.
     *
     * @param id the event that is there; empty if it never was in the inbox: its payment was known, or an operator
     *     settled it
     * @param differs whether that one's body was another
     */
    record AlreadyThere(Optional<UUID> id, boolean differs) implements InboxOutcome {}

    /** It is new, but another event was about the same payment. It is settled and not in the inbox. */
    record PaymentDuplicate() implements InboxOutcome {}

    /** Another caller is at it, and has been for as long as this one would wait. */
    record InProgress(Duration retryAfter) implements InboxOutcome {}

    /**
     * It is not known to be committed. By the cause's kind: {@code UNREACHABLE} and {@code BUSY}, send it again; {@code
     * REJECTED}, the database will never take it.
     */
    record Failed(StoreException cause) implements InboxOutcome {}
}
