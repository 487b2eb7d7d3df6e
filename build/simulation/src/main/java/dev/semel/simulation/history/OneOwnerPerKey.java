// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Conflicted;
import dev.semel.simulation.history.HistoryEvent.Ran;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A key has one owner at a time, whichever alias led to it and whichever secret made its digest. */
final class OneOwnerPerKey implements Rule {
    private final Grants grants;
    private final Map<Long, List<String>> keys = new HashMap<>();
    private final Map<String, Ran> running = new HashMap<>();
    private final Set<String> conflicted = new HashSet<>();

    OneOwnerPerKey(Grants grants) {
        this.grants = grants;
    }

    @Override
    public void see(HistoryEvent event, Consumer<String> broken) {
        if (event instanceof Asked asked) {
            keys.put(asked.call(), asked.keys());
        } else if (event instanceof Conflicted conflict) {
            // The two records were made by callers that did not know of each other. Both may run.
            conflicted.addAll(conflict.keys());
        } else if (event instanceof Ran ran) {
            for (String key : keys.getOrDefault(ran.call(), List.of())) {
                Ran other = running.put(key, ran);
                Grants.Grant held = other == null ? null : grants.of(other.record(), other.fence());
                if (held != null
                        && !conflicted.contains(key)
                        && !held.granted.record().equals(ran.record())
                        && held.surelyHeldAt(ran.at())) {
                    broken.accept("work on %s began while %s ran it under another record"
                            .formatted(key, held.granted.process()));
                }
            }
        }
    }
}
