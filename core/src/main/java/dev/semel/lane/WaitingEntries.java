// SPDX-License-Identifier: Apache-2.0
package dev.semel.lane;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The entries of {@link Lanes} that have not been sent, in the order in which they were submitted. Entries of one key keep their
 * order, also if some of them are sent apart. Not thread-safe.
 */
final class WaitingEntries<E, R> {
    private final Set<LaneEntry<E, R>> entries = new LinkedHashSet<>();
    private int apart;

    void add(LaneEntry<E, R> entry) {
        entries.add(entry);
        apart += entry.isApart() ? 1 : 0;
    }

    /** False if the entry was taken or removed before. */
    boolean remove(LaneEntry<E, R> entry) {
        boolean removed = entries.remove(entry);
        apart -= removed && entry.isApart() ? 1 : 0;
        return removed;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** How many entries of this kind wait. */
    int count(boolean ofApart) {
        return ofApart ? apart : entries.size() - apart;
    }

    List<LaneEntry<E, R>> removeAll(boolean ofApart) {
        List<LaneEntry<E, R>> removed =
                entries.stream().filter(entry -> entry.isApart() == ofApart).toList();
        removed.forEach(this::remove);
        return removed;
    }

    /** Takes the next batch of a kind, which is empty if the keys of all of its entries are busy. */
    List<LaneEntry<E, R>> take(boolean ofApart, Set<Object> busy) {
        int left = count(ofApart);
        List<LaneEntry<E, R>> batch = new ArrayList<>(Math.min(left, Lanes.MAX_BATCH));
        // Also the keys of entries that come first but are of the other kind.
        Set<Object> passed = new HashSet<>();
        long bytes = 0;
        Iterator<LaneEntry<E, R>> all = entries.iterator();
        while (left > 0 && batch.size() < Lanes.MAX_BATCH) {
            LaneEntry<E, R> entry = all.next();
            boolean first = passed.add(entry.key());
            if (entry.isApart() != ofApart) {
                continue;
            }
            left--;
            if (!batch.isEmpty() && bytes + entry.bytes() > Lanes.MAX_BATCH_BYTES) {
                // Entries keep their order: smaller ones that would still fit must not overtake this one.
                break;
            }
            if (first && !busy.contains(entry.key())) {
                entry.sent();
                batch.add(entry);
                bytes += entry.bytes();
                all.remove();
                apart -= ofApart ? 1 : 0;
            }
        }
        return batch;
    }
}
