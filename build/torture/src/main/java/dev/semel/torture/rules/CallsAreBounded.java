// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A call is answered within its bound, not counting the time in which its process stood still. */
final class CallsAreBounded implements HistoryRule {
    @Override
    public String text() {
        return "nothing waits longer than its bound";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        Map<Long, RecordedEvent.Asked> open = new HashMap<>();
        Map<Long, String> processes = new HashMap<>();
        Map<String, Long> seen = new HashMap<>();
        for (Entry entry : history.entries()) {
            seen.put(entry.process(), entry.event().at());
            if (entry.event() instanceof RecordedEvent.Asked asked) {
                open.put(asked.call(), asked);
                processes.put(asked.call(), entry.process());
            } else if (entry.event() instanceof RecordedEvent.Told told && open.containsKey(told.call())) {
                RecordedEvent.Asked asked = open.remove(told.call());
                long waited = waited(history, entry.process(), asked, told.at());
                if (waited > asked.boundMillis()) {
                    found.add(violation(
                            history,
                            asked.item(),
                            "call %x took %d ms; its bound is %d ms"
                                    .formatted(asked.call(), waited, asked.boundMillis())));
                }
            }
        }
        // The process of a call without an answer was killed, unless it went on for longer than the bound.
        open.values().forEach(asked -> {
            String process = processes.getOrDefault(asked.call(), "");
            long waited = waited(history, process, asked, seen.getOrDefault(process, 0L));
            if (waited > asked.boundMillis()) {
                found.add(violation(
                        history,
                        asked.item(),
                        "call %x has no answer after %d ms; its bound is %d ms"
                                .formatted(asked.call(), waited, asked.boundMillis())));
            }
        });
        return found;
    }

    private static long waited(ProcessHistory history, String process, RecordedEvent.Asked asked, long until) {
        return (until - asked.at() - history.stalled(process, asked.at(), until)) / MILLION;
    }
}
