// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * If the store has refused the result of a run, no caller is ever told that result. Results that expire are not checked: one may
 * have been stored, its confirmation lost, and its claim given to another owner before the settlement was repeated.
 */
final class LostResultsAreNotTold implements HistoryRule {
    /** Shorter results of two runs may be equal. */
    private static final int DISTINCT = 16;

    @Override
    public String text() {
        return "nobody is told a result that the store has refused";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            Map<String, Long> lost = new HashMap<>();
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Lost refused
                        && refused.ttlMillis() == 0
                        && refused.bytes() >= DISTINCT) {
                    lost.put(refused.hash(), refused.run());
                }
            }
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Told told
                        && told.answer() == Answer.SUCCEEDED
                        && lost.containsKey(told.hash())) {
                    found.add(violation(
                            history,
                            item,
                            "call %x was told the result of run %x, which the store has refused"
                                    .formatted(told.call(), lost.get(told.hash()))));
                }
            }
        });
        return found;
    }
}
