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
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Asked asked) {
                open.put(asked.call(), asked);
            } else if (entry.event() instanceof RecordedEvent.Told told && open.containsKey(told.call())) {
                RecordedEvent.Asked asked = open.remove(told.call());
                long stalled = history.stalled(entry.process(), asked.at(), told.at());
                long waited = (told.at() - asked.at() - stalled) / MILLION;
                if (waited > asked.boundMillis()) {
                    found.add(violation(
                            history,
                            asked.item(),
                            "call %x took %d ms; its bound is %d ms"
                                    .formatted(asked.call(), waited, asked.boundMillis())));
                }
            }
        }
        return found;
    }
}
