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

/** What was acknowledged is what every later caller is told, byte for byte, until it has expired. */
final class AnswersStay implements HistoryRule {
    @Override
    public String text() {
        return "every acknowledged result is what later callers are told";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            List<Successes.Known> known = Successes.of(entries);
            if (known.isEmpty()) {
                return;
            }
            Map<Long, RecordedEvent.Asked> asked = new HashMap<>();
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Asked call) {
                    asked.put(call.call(), call);
                } else if (entry.event() instanceof RecordedEvent.Told told && asked.containsKey(told.call())) {
                    long askedAt = asked.get(told.call()).at();
                    known.stream()
                            .filter(one -> one.since() < askedAt && told.at() < one.until() && !agrees(one, told))
                            .findFirst()
                            .ifPresent(one -> found.add(violation(
                                    history,
                                    item,
                                    "call %x was told %s with %d bytes %s instead of %s with %d bytes %s"
                                            .formatted(
                                                    told.call(),
                                                    told.answer(),
                                                    told.bytes(),
                                                    told.hash(),
                                                    one.answer(),
                                                    one.bytes(),
                                                    one.hash()))));
                }
            }
        });
        return found;
    }

    private static boolean agrees(Successes.Known known, RecordedEvent.Told told) {
        return switch (told.answer()) {
            // The store was not asked, or a call that asked earlier answered for this one too.
            case UNAVAILABLE, IN_PROGRESS -> true;
            default ->
                told.answer() == known.answer()
                        && (told.answer() != Answer.SUCCEEDED
                                || (told.bytes() == known.bytes() && told.hash().equals(known.hash())));
        };
    }
}
