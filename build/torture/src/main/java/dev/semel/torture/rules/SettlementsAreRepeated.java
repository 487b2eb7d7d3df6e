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

/** A settlement without an answer is repeated until the store's time-out is over, whatever the failure was. */
final class SettlementsAreRepeated implements HistoryRule {
    /** A little less than the store's time-out of the workers. */
    private static final long TRIED = 1_500 * MILLION;

    @Override
    public String text() {
        return "settlements are repeated until the store's time-out";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<Long>> ended = new HashMap<>();
        Map<Long, RecordedEvent.Asked> asked = new HashMap<>();
        for (Entry entry : history.entries()) {
            String caller = entry.process() + " " + entry.event().item();
            if (entry.event() instanceof RecordedEvent.Ended run) {
                ended.computeIfAbsent(caller, any -> new ArrayList<>()).add(run.at());
            } else if (entry.event() instanceof RecordedEvent.Asked call) {
                asked.put(call.call(), call);
            } else if (entry.event() instanceof RecordedEvent.Told told && told.answer() == Answer.UNSETTLED) {
                long from =
                        asked.containsKey(told.call()) ? asked.get(told.call()).at() : told.at();
                // The first one since the question: a later one may belong to another call.
                ended.getOrDefault(caller, List.of()).stream()
                        .filter(end -> end > from)
                        .findFirst()
                        .filter(end -> told.at() - end < TRIED)
                        .ifPresent(end -> found.add(violation(
                                history,
                                told.item(),
                                "call %x gave up its settlement after %d ms"
                                        .formatted(told.call(), (told.at() - end) / MILLION))));
            }
        }
        return found;
    }
}
