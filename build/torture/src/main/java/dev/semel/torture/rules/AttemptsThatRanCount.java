// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Work is given up only after as many attempts as its cap, not counting those that were given back or never stored. */
final class AttemptsThatRanCount implements HistoryRule {
    @Override
    public String text() {
        return "only attempts that may have run use up the cap";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            Set<String> attempts = new HashSet<>();
            Set<String> uncounted = new HashSet<>();
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Sent sent) {
                    attempts.add(sent.token());
                } else if (entry.event() instanceof RecordedEvent.Refused refused) {
                    uncounted.add(refused.token());
                } else if (entry.event() instanceof RecordedEvent.GivenBack back) {
                    uncounted.add(back.token());
                } else if (entry.event() instanceof RecordedEvent.Told told && told.answer() == Answer.GIVEN_UP) {
                    attempts.removeAll(uncounted);
                    // The attempt that gives up is acquired too.
                    if (attempts.size() - 1 < told.bytes()) {
                        found.add(violation(
                                history,
                                item,
                                "given up after %d attempts, of which %d may have run"
                                        .formatted(told.bytes(), Math.max(0, attempts.size() - 1))));
                        return;
                    }
                }
            }
        });
        return found;
    }
}
