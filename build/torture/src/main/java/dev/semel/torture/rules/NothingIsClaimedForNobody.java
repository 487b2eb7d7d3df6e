// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A claim whose caller was told that the store is unavailable is withdrawn: it is not sent for the first time afterwards. */
final class NothingIsClaimedForNobody implements HistoryRule {
    /** How long a command may already be on its way to the store. */
    private static final long SLACK = 200 * MILLION;

    @Override
    public String text() {
        return "queues hold nothing for callers that have left";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        Map<String, Integer> open = new HashMap<>();
        Map<String, Long> left = new HashMap<>();
        Map<String, Long> firstSent = new HashMap<>();
        for (Entry entry : history.entries()) {
            String caller = entry.process() + " " + entry.event().item();
            if (entry.event() instanceof RecordedEvent.Asked) {
                open.merge(caller, 1, Integer::sum);
            } else if (entry.event() instanceof RecordedEvent.Told told) {
                open.merge(caller, -1, Integer::sum);
                left.put(caller, told.at());
            } else if (entry.event() instanceof RecordedEvent.Sent sent
                    && firstSent.putIfAbsent(sent.token(), sent.at()) == null
                    && open.getOrDefault(caller, 0) == 0
                    && left.containsKey(caller)) {
                long since = sent.at() - left.get(caller);
                if (since - history.stalled(entry.process(), left.get(caller), sent.at()) > SLACK) {
                    found.add(violation(
                            history,
                            sent.item(),
                            "a claim was sent %d ms after its last caller had left".formatted(since / MILLION)));
                }
            }
        }
        return found;
    }
}
