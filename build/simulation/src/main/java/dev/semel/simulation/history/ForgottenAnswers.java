// SPDX-License-Identifier: Apache-2.0
package dev.semel.simulation.history;

import dev.semel.simulation.history.HistoryEvent.Asked;
import dev.semel.simulation.history.HistoryEvent.Forgotten;
import dev.semel.simulation.history.HistoryEvent.Granted;
import dev.semel.simulation.history.HistoryEvent.Told;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The answers that the engine makes itself, such as "given up", and that an operator has forgotten. No work has made them, so they
 * belong to all records that ran for the keys of the caller, or for keys that any caller has named together with these. A record
 * that never ran may have had any keys: the history does not tell.
 */
final class ForgottenAnswers {
    /** The references of granted records. */
    private final Map<String, String> refs = new HashMap<>();

    /** The references of the records that ran for a key. */
    private final Map<String, Set<String>> refsOf = new HashMap<>();

    private final Set<String> everRan = new HashSet<>();

    /** Keys that callers have named together share one set. */
    private final Map<String, Set<String>> linked = new HashMap<>();

    /** Until when caches may tell what was forgotten under a reference. */
    private final Map<String, Long> cachedUntil = new HashMap<>();

    void asked(Asked asked) {
        if (asked.reads()) {
            return;
        }
        Set<String> together = new HashSet<>(asked.keys());
        asked.keys().forEach(key -> together.addAll(linked.getOrDefault(key, Set.of())));
        together.forEach(key -> linked.put(key, together));
    }

    void granted(Granted granted) {
        refs.put(granted.record(), granted.ref());
    }

    void ran(Asked asked, String record) {
        String ref = refs.get(record);
        if (ref != null) {
            everRan.add(ref);
            asked.keys()
                    .forEach(key -> refsOf.computeIfAbsent(key, absent -> new HashSet<>())
                            .add(ref));
        }
    }

    void forgotten(Forgotten forgotten) {
        cachedUntil.merge(forgotten.ref(), forgotten.cachedUntil(), Math::max);
    }

    /** Whether this is such an answer, and a cache may still tell it. */
    boolean mayBeCached(Told told, Asked asked) {
        return switch (told.answer()) {
            case TOMBSTONE -> isCached(asked);
            case FAILED -> isCached(asked) || isCachedWithoutRun(asked);
            default -> false;
        };
    }

    private boolean isCached(Asked asked) {
        return asked.keys().stream()
                .flatMap(key -> linked.getOrDefault(key, Set.of(key)).stream())
                .flatMap(key -> refsOf.getOrDefault(key, Set.of()).stream())
                .anyMatch(ref -> asked.at() <= cachedUntil.getOrDefault(ref, Long.MIN_VALUE));
    }

    private boolean isCachedWithoutRun(Asked asked) {
        return cachedUntil.entrySet().stream()
                .anyMatch(forgotten -> !everRan.contains(forgotten.getKey()) && asked.at() <= forgotten.getValue());
    }
}
