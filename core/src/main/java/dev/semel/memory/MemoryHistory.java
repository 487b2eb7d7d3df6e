// SPDX-License-Identifier: Apache-2.0
package dev.semel.memory;

import dev.semel.claim.ClaimRef;
import dev.semel.spi.HistoryEntry;
import dev.semel.spi.HistoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The history of a {@link MemoryClaimStore}, under its lock. */
final class MemoryHistory {
    /** The maximum number of entries. The oldest ones are dropped. */
    private static final int MAX_KEPT = 100_000;

    private final Deque<HistoryEntry> newestFirst = new ArrayDeque<>();
    private final Map<ClaimRef, Long> replays = new HashMap<>();
    private long lastId;

    void add(List<HistoryEntry> entries, Instant now) {
        for (HistoryEntry entry : entries) {
            newestFirst.addFirst(entry.stored(++lastId, now));
            if (newestFirst.size() > MAX_KEPT) {
                newestFirst.removeLast();
            }
        }
    }

    void addReplays(Map<ClaimRef, Long> counts) {
        HistoryStore.checkReplays(counts);
        counts.forEach((ref, count) -> replays.merge(ref, count, Long::sum));
    }

    long replays(ClaimRef ref) {
        return replays.getOrDefault(ref, 0L);
    }

    List<HistoryEntry> newest(int limit, Predicate<HistoryEntry> filter) {
        HistoryStore.checkLimit(limit);
        return newestFirst.stream().filter(filter).limit(limit).toList();
    }

    int purge(Instant now, Duration history, @Nullable Duration decisions, int limit, Collection<ClaimRef> claims) {
        int before = replays.size();
        replays.keySet().retainAll(claims);
        int deleted = before - replays.size();
        deleted += purge(entry -> !entry.kind().isDecision() && isUpTo(entry, now.minus(history)), limit);
        return decisions == null
                ? deleted
                : deleted + purge(entry -> entry.kind().isDecision() && isUpTo(entry, now.minus(decisions)), limit);
    }

    private static boolean isUpTo(HistoryEntry entry, Instant cutoff) {
        return !entry.at().isAfter(cutoff);
    }

    private int purge(Predicate<HistoryEntry> old, int limit) {
        List<HistoryEntry> deleted = new ArrayList<>();
        for (Iterator<HistoryEntry> each = newestFirst.descendingIterator();
                each.hasNext() && deleted.size() < limit; ) {
            HistoryEntry entry = each.next();
            if (old.test(entry)) {
                each.remove();
                deleted.add(entry);
            }
        }
        return deleted.size();
    }
}
