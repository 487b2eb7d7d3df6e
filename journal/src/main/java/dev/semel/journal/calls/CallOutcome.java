// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.calls;

import dev.semel.claim.StoreException;
import java.util.UUID;

/** The outcome of recording a call event. */
public sealed interface CallOutcome {
    /** This call wrote the event, and it is committed. */
    record Inserted(UUID callId) implements CallOutcome {}

    /** An event with the same signature exists. Nothing was written. */
    record Noop(UUID callId, Reason reason) implements CallOutcome {}

    /**
     * The event is not known to be committed. If the cause's kind is {@code UNREACHABLE} or {@code BUSY}, send the event again. If
     * it is {@code REJECTED}, the database will never accept the event.
     */
    record Failed(StoreException cause) implements CallOutcome {}

    /** Where the duplicate was found. */
    enum Reason {
        /** In the replay cache. */
        REPLAY_CACHE,
        /** In the unique index. */
        IDEMPOTENT_CONFLICT
    }
}
