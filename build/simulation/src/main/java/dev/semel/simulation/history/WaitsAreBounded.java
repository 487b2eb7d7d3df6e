// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Crashed;
import dev.semel.simulation.history.HistoryEvent.Paused;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Every caller is told something, once, and in time. The time during which its process was stopped does not count. */
final class WaitsAreBounded implements Rule {
    private final Map<Long, Asked> waiting = new LinkedHashMap<>();
    private final Map<String, Long> paused = new HashMap<>();

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked) {
            long before = paused.getOrDefault(asked.process(), 0L);
            waiting.put(
                    asked.call(),
                    new Asked(
                            asked.at(),
                            asked.process(),
                            asked.call(),
                            asked.keys(),
                            asked.fingerprint(),
                            asked.answerBy() - before,
                            asked.reads(),
                            asked.mustSettle()));
        } else if (event instanceof Paused pause) {
            paused.merge(pause.process(), pause.until() - pause.at(), Long::sum);
        } else if (event instanceof Crashed crash) {
            waiting.values().removeIf(asked -> asked.process().equals(crash.process()));
        } else if (event instanceof Told told) {
            Asked asked = waiting.remove(told.call());
            if (asked == null) {
                broken.accept("a caller was told twice, or after its process ended");
            } else if (told.at() > asked.answerBy() + paused.getOrDefault(asked.process(), 0L)) {
                broken.accept("a caller waited too long; it asked at " + asked.at());
            }
        }
    }

    @Override
    public void end(Consumer<String> broken) {
        waiting.values().forEach(asked -> broken.accept("a caller was never told anything: " + asked));
    }
}
