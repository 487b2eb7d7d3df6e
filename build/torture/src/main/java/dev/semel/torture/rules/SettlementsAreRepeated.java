// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.Entry;
import dev.semel.torture.history.History;
import dev.semel.torture.history.HistoryEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A settlement without an answer is repeated until the store's time-out is over, whatever the failure was. */
final class SettlementsAreRepeated implements Rule {
    /** A little less than the store's time-out of the workers. */
    private static final long TRIED = 1_500 * MILLION;

    @Override
    public String text() {
        return "settlements are repeated until the store's time-out";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        Map<String, HistoryEvent.Ended> ended = new HashMap<>();
        Map<Long, HistoryEvent.Asked> asked = new HashMap<>();
        for (Entry entry : history.entries()) {
            String caller = entry.process() + " " + entry.event().item();
            if (entry.event() instanceof HistoryEvent.Ended run) {
                ended.put(caller, run);
            } else if (entry.event() instanceof HistoryEvent.Asked call) {
                asked.put(call.call(), call);
            } else if (entry.event() instanceof HistoryEvent.Told told && told.answer() == Answer.UNSETTLED) {
                HistoryEvent.Ended run = ended.get(caller);
                HistoryEvent.Asked call = asked.get(told.call());
                if (run != null && call != null && run.at() > call.at() && told.at() - run.at() < TRIED) {
                    found.add(violation(
                            history,
                            told.item(),
                            "call %x gave up its settlement after %d ms"
                                    .formatted(told.call(), (told.at() - run.at()) / MILLION)));
                }
            }
        }
        return found;
    }
}
