// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.List;

/** Something that holds in every history. */
public interface HistoryRule {
    /** The clocks of two databases, or of a database and a process, may run apart by this much within a TTL or a lease. */
    long MARGIN = 30_000_000L;

    long MILLION = 1_000_000L;

    /**
     * Between the check of a lease and the beginning of the work, a thread of a process that does not stand still needs less, even
     * on a machine with many more threads than cores.
     */
    long CHECK_TO_BEGIN = 250 * MILLION;

    /** The rule as a sentence. */
    String text();

    List<Violation> violations(ProcessHistory history);

    /** A violation that the events of its item prove. */
    default Violation violation(ProcessHistory history, String item, String what) {
        return new Violation(text(), item, what, history.byItem().getOrDefault(item, List.of()));
    }

    /** Whether work began so long after the end of its lease that it must have been checked after the end, or not at all. */
    static boolean beganLate(ProcessHistory history, String process, RecordedEvent.Began began) {
        long late = began.at() - began.leaseEnd();
        return late > CHECK_TO_BEGIN
                && late - history.stalled(process, began.leaseEnd() - CHECK_TO_BEGIN, began.at()) > CHECK_TO_BEGIN;
    }

    /** The events of one kind among these. */
    static <E extends RecordedEvent> List<E> of(Class<E> kind, List<Entry> entries) {
        List<E> found = new ArrayList<>();
        for (Entry entry : entries) {
            if (kind.isInstance(entry.event())) {
                found.add(kind.cast(entry.event()));
            }
        }
        return found;
    }
}
