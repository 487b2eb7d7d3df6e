// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;

/** After a success, or another permanent answer, is known, no run begins until it has expired. */
final class NoRunAfterSuccess implements HistoryRule {
    @Override
    public String text() {
        return "no effect after a success";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            List<Successes.Known> known = Successes.of(entries);
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Began began
                        && !began.token().isEmpty()
                        && !isExcused(history, entry.process(), began)
                        && known.stream().anyMatch(success -> forbids(success, began))) {
                    found.add(violation(history, item, "run %x began after a success".formatted(began.run())));
                }
            }
        });
        return found;
    }

    private static boolean forbids(Successes.Known success, RecordedEvent.Began began) {
        return success.answer().isPermanent() && success.since() < began.at() && began.at() < success.until();
    }

    /** A process that stood still between the check of its lease and the first step cannot know that time has passed. */
    private static boolean isExcused(ProcessHistory history, String process, RecordedEvent.Began began) {
        return began.at() > began.leaseEnd() && !HistoryRule.beganLate(history, process, began);
    }
}
