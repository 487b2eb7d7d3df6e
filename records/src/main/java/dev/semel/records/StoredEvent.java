// SPDX-License-Identifier: Apache-2.0
package dev.semel.records;

import java.time.Instant;
import java.util.UUID;

/** A row of {@code events}. */
record StoredEvent(UUID id, Instant createdAt, EventText text) {
    LedgerEvent event() {
        return new LedgerEvent(id, text.orgId(), createdAt, text::event);
    }
}
