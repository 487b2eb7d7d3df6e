// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.History;
import dev.semel.torture.history.HistoryEvent;
import java.util.ArrayList;
import java.util.List;

/** After the faults end, every item that is asked for again is settled within the limit. */
final class EverythingSettles implements Rule {
    @Override
    public String text() {
        return "after the faults end everything settles";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof HistoryEvent.Unfinished unfinished) {
                found.add(violation(
                        history, unfinished.item(), "the last answer after the faults was " + unfinished.last()));
            }
        }
        return found;
    }
}
