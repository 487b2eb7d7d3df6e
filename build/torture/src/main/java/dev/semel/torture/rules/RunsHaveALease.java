// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;

/** Work begins only while its lease lasts, unless the process stood still between the check and the beginning. */
final class RunsHaveALease implements HistoryRule {
    @Override
    public String text() {
        return "work begins only within its lease";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Began began
                    && !began.token().isEmpty()
                    && HistoryRule.beganLate(history, entry.process(), began)) {
                found.add(violation(
                        history,
                        began.item(),
                        "run %x began %d ms after the end of its lease"
                                .formatted(began.run(), (began.at() - began.leaseEnd()) / MILLION)));
            }
        }
        return found;
    }
}
