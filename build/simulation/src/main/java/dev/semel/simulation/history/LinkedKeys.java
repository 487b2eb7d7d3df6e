// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Asked;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One key stands for all that callers used together. */
final class LinkedKeys {
    private final Map<Long, List<String>> keys = new HashMap<>();
    private final Map<String, String> linked = new HashMap<>();

    void see(Asked asked) {
        keys.put(asked.call(), asked.keys());
        asked.keys().forEach(key -> linked.put(root(key), root(asked.keys().get(0))));
    }

    /** The key that stands for those of this call; empty if nobody asked so. */
    String rootOf(long call) {
        List<String> known = keys.getOrDefault(call, List.of());
        return known.isEmpty() ? "" : root(known.get(0));
    }

    private String root(String key) {
        String at = key;
        String next = linked.getOrDefault(at, at);
        while (!next.equals(at)) {
            at = next;
            next = linked.getOrDefault(at, at);
        }
        return at;
    }
}
