// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code events}.
 *
 * @param text null if it was left out because many rows were read at once: see {@link #largest}
 */
record StoredEvent(UUID id, Instant createdAt, @Nullable EventText text) {
    private static final int SMALL = 1_024;

    /** The most bytes that an event may have to be read with so many others; larger ones are left out. */
    static long largest(int events) {
        return events <= 1 ? Long.MAX_VALUE : Math.max(SMALL, Page.MAX_BYTES / events);
    }

    boolean isOmitted() {
        return text == null;
    }

    EventText whole() {
        return Objects.requireNonNull(text, "An event that was left out is read before it is used");
    }

    LedgerEvent event() {
        EventText there = whole();
        return new LedgerEvent(id, createdAt, there);
    }
}
