// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A caller that asks long after a result has expired is not told it. */
final class ExpiredResultsAreNotTold implements HistoryRule {
    /** Shorter results of two runs may be equal. */
    private static final int DISTINCT = 16;

    /** A call that asked earlier may answer for this one too. */
    private static final long SHARED = 8_000 * MILLION;

    @Override
    public String text() {
        return "nobody is told a result that has expired";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            Map<String, Long> stored = new HashMap<>();
            Map<Long, RecordedEvent.Asked> asked = new HashMap<>();
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Asked call && call.ttlMillis() > 0) {
                    asked.put(call.call(), call);
                } else if (entry.event() instanceof RecordedEvent.Settled settled) {
                    stored.putIfAbsent(settled.hash(), settled.at());
                } else if (entry.event() instanceof RecordedEvent.Told told
                        && told.answer() == Answer.SUCCEEDED
                        && told.bytes() >= DISTINCT) {
                    long since = stored.computeIfAbsent(told.hash(), hash -> told.at());
                    RecordedEvent.Asked call = asked.get(told.call());
                    if (call != null
                            && call.at() - since - history.stalled(entry.process(), since, call.at())
                                    > call.ttlMillis() * MILLION + SHARED) {
                        found.add(violation(
                                history, item, "call %x was told a result that had expired".formatted(told.call())));
                    }
                }
            }
        });
        return found;
    }
}
