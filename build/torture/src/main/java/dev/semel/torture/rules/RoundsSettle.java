// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;

/** After the faults end, every item that is asked for again is settled within the limit. */
final class RoundsSettle implements HistoryRule {
    @Override
    public String text() {
        return "after the faults end everything settles";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Unfinished unfinished) {
                found.add(violation(
                        history, unfinished.item(), "the last answer after the faults was " + unfinished.last()));
            }
        }
        return found;
    }
}
