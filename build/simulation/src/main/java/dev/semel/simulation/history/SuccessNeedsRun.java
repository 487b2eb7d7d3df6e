// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Answer;
import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Decided;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Nobody is told success, or a rejection, without a run that ended so and that belongs to the same key. */
final class SuccessNeedsRun implements Rule {
    private final LinkedKeys keys = new LinkedKeys();
    private final Map<String, List<Ended>> ends = new HashMap<>();
    private final Map<String, Decided> decisions = new HashMap<>();

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked) {
            keys.see(asked);
        } else if (event instanceof Ended ended) {
            ends.computeIfAbsent(ended.value(), value -> new ArrayList<>(1)).add(ended);
        } else if (event instanceof Decided decided) {
            decisions.put(decided.value(), decided);
        } else if (event instanceof Told told
                && (told.answer() == Answer.SUCCEEDED || told.answer() == Answer.REJECTED)
                && !decisions.containsKey(told.value())) {
            List<Ended> ended = ends.getOrDefault(told.value(), List.of());
            if (ended.isEmpty()) {
                broken.accept("a caller was told " + told.value() + ", but no work ended so");
            } else if (ended.stream().noneMatch(one -> keys.rootOf(one.call()).equals(keys.rootOf(told.call())))) {
                broken.accept("a caller was told " + told.value() + ", which belongs to another key");
            } else if (ended.stream()
                    .noneMatch(one -> one.ending().name().equals(told.answer().name()))) {
                broken.accept("a caller was told that work " + told.answer() + ", but it ended otherwise");
            }
        }
    }
}
