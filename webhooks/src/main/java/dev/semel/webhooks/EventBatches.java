// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.ArrayList;
import java.util.List;

/** Splits the events of a delivery into batches whose excerpts fit into memory together. */
final class EventBatches {
    private static final long MAX_BYTES = 1024 * 1024;

    private EventBatches() {}

    /** The total size of these events in bytes, see {@link IncomingEvent#weight}. */
    static long weight(List<IncomingEvent> events) {
        return events.stream().mapToLong(IncomingEvent::weight).sum();
    }

    /** Keeps the order. Each batch has at least one event, and at most about 1 MiB unless its only event is larger. */
    static List<List<IncomingEvent>> of(List<IncomingEvent> events) {
        List<List<IncomingEvent>> batches = new ArrayList<>();
        List<IncomingEvent> batch = new ArrayList<>();
        long bytes = 0;
        for (IncomingEvent event : events) {
            long weight = event.weight();
            if (!batch.isEmpty() && bytes + weight > MAX_BYTES) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(event);
            bytes += weight;
        }
        batches.add(batch);
        return batches;
    }
}
