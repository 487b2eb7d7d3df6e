// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Nobody who asks after an answer has expired is told it, unless an earlier call of the process has asked for it already. */
final class AnswersExpire implements Rule {
    private final Grants grants;
    private final Map<Long, Asked> open = new HashMap<>();
    private final Map<Long, Long> since = new HashMap<>();
    private final Map<String, List<String>> records = new HashMap<>();

    AnswersExpire(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked) {
            since.put(asked.call(), firstAsked(asked));
            open.put(asked.call(), asked);
        } else if (event instanceof Ended ended) {
            records.computeIfAbsent(ended.value(), value -> new ArrayList<>(1)).add(ended.record());
        } else if (event instanceof Told told
                && open.remove(told.call()) != null
                && told.answer().isFinal()) {
            List<String> sources = records.getOrDefault(told.value(), List.of());
            long asked = since.getOrDefault(told.call(), 0L);
            if (!sources.isEmpty() && sources.stream().allMatch(record -> hadExpired(record, asked))) {
                broken.accept("a caller was told an answer that had expired before it asked");
            }
        }
    }

    /** When the first call asked that may answer for this one too. */
    private long firstAsked(Asked asked) {
        return open.values().stream()
                .filter(other ->
                        other.process().equals(asked.process()) && !Collections.disjoint(other.keys(), asked.keys()))
                .mapToLong(Asked::at)
                .reduce(asked.at(), Math::min);
    }

    /** An answer of which nobody knows how long it is kept has not expired. */
    private boolean hadExpired(String record, long moment) {
        long until = grants.forgottenFrom(record);
        return until > 0 && until < moment;
    }
}
