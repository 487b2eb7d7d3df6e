// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.claim.StoreException;
import java.util.UUID;

/** What came of a call event. */
public sealed interface CallOutcome {
    /** It is committed, by this call. */
    record Inserted(UUID callId) implements CallOutcome {}

    /** The same signature was there before; nothing was written. */
    record Noop(UUID callId, Reason reason) implements CallOutcome {}

    /**
     * It is not known to be committed. By the cause's kind: {@code UNREACHABLE} and {@code BUSY}, send it again; {@code
     * REJECTED}, the database will never take it.
     */
    record Failed(StoreException cause) implements CallOutcome {}

    /** Who knew it. */
    enum Reason {
        /** A cache. */
        REPLAY_CACHE,
        /** The unique index. */
        IDEMPOTENT_CONFLICT
    }
}
