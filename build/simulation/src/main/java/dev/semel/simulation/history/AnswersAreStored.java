// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Answer;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Nobody is told the result of work before an owner has settled its claim with it. */
final class AnswersAreStored implements Rule {
    private final Grants grants;
    private final Map<String, List<String>> records = new HashMap<>();

    AnswersAreStored(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Ended ended) {
            records.computeIfAbsent(ended.value(), value -> new ArrayList<>(1)).add(ended.record());
        } else if (event instanceof Told told
                && (told.answer() == Answer.SUCCEEDED || told.answer() == Answer.REJECTED)) {
            List<String> sources = records.getOrDefault(told.value(), List.of());
            if (!sources.isEmpty() && sources.stream().noneMatch(this::isStored)) {
                broken.accept("a caller was told a result that no owner has stored");
            }
        }
    }

    private boolean isStored(String record) {
        return grants.ofRecord(record).stream().anyMatch(grant -> grant.mayBeAnswered);
    }
}
