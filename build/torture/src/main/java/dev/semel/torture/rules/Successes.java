// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.Entry;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is known to be stored for one item, from acknowledgements and from what callers were told. */
final class Successes {
    private Successes() {}

    /**
     * A permanent answer that is known to be stored.
     *
     * @param since known at this time
     * @param until it must be kept until then
     */
    record Known(Answer answer, int bytes, String hash, long since, long until) {}

    static List<Known> of(List<Entry> entries) {
        Map<String, RecordedEvent.Ended> ended = new HashMap<>();
        Map<Long, RecordedEvent.Asked> asked = new HashMap<>();
        List<Known> known = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.event() instanceof RecordedEvent.Ended run && !run.hash().isEmpty()) {
                // The first one with this content: a later one could not have been stored before its own end.
                ended.putIfAbsent(run.hash(), run);
            } else if (entry.event() instanceof RecordedEvent.Asked call) {
                asked.put(call.call(), call);
            } else if (entry.event() instanceof RecordedEvent.Settled settled) {
                long until = end(settled.sentAt(), settled.ttlMillis());
                known.add(new Known(settled.answer(), settled.bytes(), settled.hash(), settled.at(), until));
            } else if (entry.event() instanceof RecordedEvent.Told told
                    && (told.answer() == Answer.FAILED
                            || told.answer() == Answer.REJECTED
                            || told.answer() == Answer.GIVEN_UP)) {
                RecordedEvent.Asked call = asked.get(told.call());
                if (call != null && call.ttlMillis() == 0) {
                    known.add(new Known(told.answer(), 0, "", told.at(), Long.MAX_VALUE));
                }
            } else if (entry.event() instanceof RecordedEvent.Told told && told.answer() == Answer.SUCCEEDED) {
                RecordedEvent.Ended run = ended.get(told.hash());
                RecordedEvent.Asked call = asked.get(told.call());
                if (run != null && call != null) {
                    known.add(new Known(
                            Answer.SUCCEEDED, told.bytes(), told.hash(), told.at(), end(run.at(), call.ttlMillis())));
                }
            }
        }
        return firstOfEach(known);
    }

    /** Of equal ones the first says everything. Thousands of callers may be told the same. */
    private static List<Known> firstOfEach(List<Known> known) {
        Set<Known> seen = new HashSet<>();
        return known.stream()
                .filter(one -> seen.add(new Known(one.answer(), one.bytes(), one.hash(), 0, one.until())))
                .toList();
    }

    /** Until when a result is kept that was stored at this time or later. */
    static long end(long from, long ttlMillis) {
        return ttlMillis == 0 ? Long.MAX_VALUE : from + ttlMillis * HistoryRule.MILLION - HistoryRule.MARGIN;
    }
}
