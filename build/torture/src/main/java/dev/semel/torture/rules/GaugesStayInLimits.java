// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;

/** Heap and threads of every process stay within their limits. */
final class GaugesStayInLimits implements HistoryRule {
    @Override
    public String text() {
        return "memory and queues stay bounded";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Gauge gauge && gauge.value() > gauge.limit()) {
                found.add(new Violation(
                        text(),
                        "",
                        "%s is %d; its limit is %d".formatted(gauge.name(), gauge.value(), gauge.limit()),
                        List.of(entry)));
            }
        }
        return found;
    }
}
