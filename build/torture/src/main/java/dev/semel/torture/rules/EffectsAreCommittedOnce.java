// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Answer;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** An effect in the claim's own transaction is in its table once if somebody was told of it, and at most once otherwise. */
final class EffectsAreCommittedOnce implements HistoryRule {
    /** The stream of {@link RecordedEvent.Stored} that holds the rows of these effects, by the hash of their results. */
    static final String EFFECTS = "effects";

    @Override
    public String text() {
        return "effects in the claim's own transaction happen exactly once";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            List<String> rows = HistoryRule.of(RecordedEvent.Stored.class, entries).stream()
                    .filter(row -> row.stream().equals(EFFECTS))
                    .map(RecordedEvent.Stored::id)
                    .toList();
            boolean own = entries.stream()
                    .anyMatch(entry -> entry.event() instanceof RecordedEvent.Began began
                            && began.token().isEmpty());
            Set<String> told = HistoryRule.of(RecordedEvent.Told.class, entries).stream()
                    .filter(one -> one.answer() == Answer.SUCCEEDED)
                    .map(RecordedEvent.Told::hash)
                    .collect(Collectors.toSet());
            if (rows.size() > 1) {
                found.add(violation(history, item, "the effect was committed %d times".formatted(rows.size())));
            } else if (own && !told.isEmpty() && !told.equals(Set.copyOf(rows))) {
                found.add(violation(history, item, "callers were told %s, but the effect is %s".formatted(told, rows)));
            }
        });
        return found;
    }
}
