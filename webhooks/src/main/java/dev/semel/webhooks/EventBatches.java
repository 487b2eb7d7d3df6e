// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import java.util.ArrayList;
import java.util.List;

/** The events of a delivery in parts whose excerpts may be held at once. */
final class EventBatches {
    private static final long MAX_BYTES = 1024 * 1024;

    private EventBatches() {}

    static long weight(List<IncomingEvent> events) {
        return events.stream().mapToLong(IncomingEvent::weight).sum();
    }

    /** In their order; each wave has about a mebibyte at most, and one event at least. */
    static List<List<IncomingEvent>> of(List<IncomingEvent> events) {
        List<List<IncomingEvent>> waves = new ArrayList<>();
        List<IncomingEvent> wave = new ArrayList<>();
        long bytes = 0;
        for (IncomingEvent event : events) {
            long weight = event.weight();
            if (!wave.isEmpty() && bytes + weight > MAX_BYTES) {
                waves.add(wave);
                wave = new ArrayList<>();
                bytes = 0;
            }
            wave.add(event);
            bytes += weight;
        }
        waves.add(wave);
        return waves;
    }
}
