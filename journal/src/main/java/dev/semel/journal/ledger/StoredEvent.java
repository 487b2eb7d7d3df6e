// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import dev.semel.journal.page.Page;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code events}.
 *
 * @param text null if it was omitted because many rows were read at once; see {@link #maxBytes}
 */
record StoredEvent(UUID id, Instant createdAt, @Nullable EventText text) {
    private static final int SMALL = 1_024;

    /** The maximum bytes of an event that is read together with others. The text of larger events is omitted. */
    static long maxBytes(int events) {
        return events <= 1 ? Long.MAX_VALUE : Math.max(SMALL, Page.MAX_BYTES / events);
    }

    boolean isOmitted() {
        return text == null;
    }

    EventText whole() {
        return Objects.requireNonNull(text, "An omitted text must be read before it is used");
    }

    LedgerEvent event() {
        return new LedgerEvent(id, createdAt, whole());
    }
}
