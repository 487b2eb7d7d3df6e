// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A settlement or a renewal is not confirmed for an owner whose successor was granted the claim before it was sent. */
final class OnlyOwnersSettle implements HistoryRule {
    @Override
    public String text() {
        return "only the owner settles";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        history.byItem().forEach((item, entries) -> {
            Map<Long, Long> fences = new HashMap<>();
            List<RecordedEvent.Granted> grants = new ArrayList<>();
            for (Entry entry : entries) {
                if (entry.event() instanceof RecordedEvent.Began began && began.fence() > 0) {
                    fences.put(began.run(), began.fence());
                } else if (entry.event() instanceof RecordedEvent.Granted granted) {
                    grants.add(granted);
                } else if (entry.event() instanceof RecordedEvent.Renewed renewed && isLost(grants, renewed)) {
                    found.add(violation(history, item, "an owner renewed the claim of its successor"));
                } else if (entry.event() instanceof RecordedEvent.Settled settled
                        && fences.containsKey(settled.run())) {
                    long fence = fences.get(settled.run());
                    if (grants.stream().anyMatch(next -> next.fence() > fence && next.at() < settled.sentAt())) {
                        found.add(violation(
                                history, item, "run %x settled the claim of its successor".formatted(settled.run())));
                    }
                }
            }
        });
        return found;
    }

    /** Whether the claim that this token acquired had another owner before the renewal was sent. */
    private static boolean isLost(List<RecordedEvent.Granted> grants, RecordedEvent.Renewed renewed) {
        return grants.stream()
                .filter(own -> own.token().equals(renewed.token()))
                .anyMatch(own -> grants.stream()
                        .anyMatch(next -> next.ref().equals(own.ref())
                                && next.fence() > own.fence()
                                && next.at() < renewed.sentAt()));
    }
}
