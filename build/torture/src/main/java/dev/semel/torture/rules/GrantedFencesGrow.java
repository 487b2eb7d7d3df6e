// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An acquisition that was sent after another one was confirmed has a greater fence, also if the row was deleted between. */
final class GrantedFencesGrow implements HistoryRule {
    @Override
    public String text() {
        return "fences strictly grow";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        Map<String, List<Entry>> byRef = new HashMap<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Granted granted) {
                byRef.computeIfAbsent(granted.ref(), ref -> new ArrayList<>()).add(entry);
            }
        }
        byRef.values().forEach(grants -> check(grants, found));
        return found;
    }

    private void check(List<Entry> grants, List<Violation> found) {
        for (Entry one : grants) {
            for (Entry other : grants) {
                RecordedEvent.Granted earlier = (RecordedEvent.Granted) one.event();
                RecordedEvent.Granted later = (RecordedEvent.Granted) other.event();
                if (!earlier.token().equals(later.token())
                        && ((earlier.at() < later.sentAt() && earlier.fence() >= later.fence())
                                || (earlier.fence() == later.fence() && earlier.at() < later.at()))) {
                    found.add(new Violation(text(), earlier.item(), "a fence did not grow", List.of(one, other)));
                }
            }
        }
    }
}
