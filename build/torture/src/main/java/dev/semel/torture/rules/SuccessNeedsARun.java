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

/** A success that a caller is told is the result of a run that has ended. */
final class SuccessNeedsARun implements HistoryRule {
    @Override
    public String text() {
        return "nobody is told a success without a run";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            Set<String> results = new HashSet<>();
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Ended ended) {
                    results.add(ended.bytes() + " " + ended.hash());
                } else if (entry.event() instanceof RecordedEvent.Told told
                        && told.answer() == Answer.SUCCEEDED
                        && !results.contains(told.bytes() + " " + told.hash())) {
                    found.add(violation(
                            history,
                            item,
                            "call %x was told %d bytes %s, which no run returned"
                                    .formatted(told.call(), told.bytes(), told.hash())));
                }
            }
        });
        return found;
    }
}
