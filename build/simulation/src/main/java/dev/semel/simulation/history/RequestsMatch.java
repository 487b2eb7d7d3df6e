// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Answer;
import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Ended;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Nobody gets the claim or the answer of another request, and a mismatch is told only if there was another request. */
final class RequestsMatch implements Rule {
    private final Grants grants;
    private final LinkedKeys keys = new LinkedKeys();
    private final Map<Long, Asked> calls = new HashMap<>();
    private final Map<String, Set<Long>> asking = new HashMap<>();
    private final Map<String, List<String>> records = new HashMap<>();

    RequestsMatch(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked) {
            keys.see(asked);
            calls.put(asked.call(), asked);
            asking.computeIfAbsent(asked.fingerprint(), any -> new HashSet<>()).add(asked.call());
        } else if (event instanceof Ended ended) {
            records.computeIfAbsent(ended.value(), value -> new ArrayList<>(1)).add(ended.record());
        } else if (event instanceof Granted granted && grants.of(granted.token()) == null) {
            if (!matches(granted.record(), granted.fingerprint())) {
                broken.accept("a claim was granted for another request than before");
            }
        } else if (event instanceof Told told && calls.containsKey(told.call())) {
            String fingerprint = calls.get(told.call()).fingerprint();
            List<String> sources = told.answer().isFinal() ? records.getOrDefault(told.value(), List.of()) : List.of();
            if (!sources.isEmpty() && sources.stream().noneMatch(record -> matches(record, fingerprint))) {
                broken.accept("a caller was told the answer of another request");
            }
            if (told.answer() == Answer.MISMATCH && !hasOther(told.call(), fingerprint)) {
                broken.accept("a caller was told of another request, but there was none");
            }
        }
    }

    /** Whether the record's last owner had this fingerprint, or one of the two matches every request. */
    private boolean matches(String record, String fingerprint) {
        List<Grants.Grant> all = grants.ofRecord(record);
        String stored = all.isEmpty() ? "" : all.get(all.size() - 1).granted.fingerprint();
        return stored.isEmpty() || fingerprint.isEmpty() || stored.equals(fingerprint);
    }

    private boolean hasOther(long call, String fingerprint) {
        return !fingerprint.isEmpty()
                && asking.entrySet().stream()
                        .filter(other ->
                                !other.getKey().isEmpty() && !other.getKey().equals(fingerprint))
                        .flatMap(other -> other.getValue().stream())
                        .anyMatch(other -> keys.rootOf(other).equals(keys.rootOf(call)));
    }
}
