// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The runs of one item. */
final class Runs {
    private Runs() {}

    /**
     * A run under a lease.
     *
     * @param end until when its effect is protected: its end if it failed, and the expiry of its result otherwise;
     *     {@link Long#MAX_VALUE} if its process was killed first, or if its result is kept for ever
     * @param validUntil until when its lease was valid, at least
     */
    record Run(String process, RecordedEvent.Began began, long end, long validUntil) {
        /** Until when no other run may begin. */
        long exclusiveUntil() {
            return Math.min(end, validUntil);
        }
    }

    /** The runs that a lease guards, in the order of time. */
    static List<Run> leased(List<Entry> entries) {
        Map<Long, Long> ends = new HashMap<>();
        Map<String, Long> leases = new HashMap<>();
        long ttl = 0;
        for (Entry entry : entries) {
            if (entry.event() instanceof RecordedEvent.Asked asked) {
                ttl = asked.ttlMillis();
            } else if (entry.event() instanceof RecordedEvent.Ended ended) {
                ends.merge(ended.run(), protectedUntil(ended, ttl), Math::min);
            } else if (entry.event() instanceof RecordedEvent.Granted granted) {
                leases.merge(granted.token(), granted.leaseEnd(), Math::max);
            } else if (entry.event() instanceof RecordedEvent.Renewed renewed) {
                leases.merge(renewed.token(), renewed.leaseEnd(), Math::max);
            }
        }
        List<Run> runs = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.event() instanceof RecordedEvent.Began began
                    && !began.token().isEmpty()) {
                runs.add(new Run(
                        entry.process(),
                        began,
                        ends.getOrDefault(began.run(), Long.MAX_VALUE),
                        Math.max(began.leaseEnd(), leases.getOrDefault(began.token(), 0L))));
            }
        }
        return runs;
    }

    private static long protectedUntil(RecordedEvent.Ended ended, long ttlMillis) {
        return ended.hash().isEmpty() ? ended.at() : Successes.end(ended.at(), ttlMillis);
    }
}
