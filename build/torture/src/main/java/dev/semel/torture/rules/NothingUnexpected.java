// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;

/** No call throws, no process ends by itself, and nobody's transaction is committed by somebody else. */
final class NothingUnexpected implements HistoryRule {
    @Override
    public String text() {
        return "no call throws, and nobody else's transaction is committed";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Unexpected unexpected) {
                found.add(new Violation(text(), unexpected.item(), unexpected.what(), List.of(entry)));
            }
        }
        return found;
    }
}
