// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A token acquires one claim, once. The same acquisition may be confirmed several times. */
final class TokensAreFresh implements HistoryRule {
    @Override
    public String text() {
        return "tokens are never used twice";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        Map<String, Entry> first = new HashMap<>();
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Granted granted) {
                Entry earlier = first.putIfAbsent(granted.token(), entry);
                if (earlier != null
                        && earlier.event() instanceof RecordedEvent.Granted same
                        && (same.fence() != granted.fence()
                                || !same.ref().equals(granted.ref())
                                || !earlier.process().equals(entry.process()))) {
                    found.add(new Violation(
                            text(),
                            granted.item(),
                            "a token acquired two claims, or one claim twice",
                            List.of(earlier, entry)));
                }
            }
        }
        return found;
    }
}
