// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.rules;

import dev.semel.torture.history.Entry;
import dev.semel.torture.history.ProcessHistory;
import dev.semel.torture.history.RecordedEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A reader that goes from page to page gets every record of a stream once and no other, and every record that a writer was told of is there. */
final class PagesAreComplete implements HistoryRule {
    @Override
    public String text() {
        return "pages miss nothing and repeat nothing";
    }

    @Override
    public List<Violation> violations(ProcessHistory history) {
        List<Violation> found = new ArrayList<>();
        Map<String, Set<String>> stored = new HashMap<>();
        Map<String, String> writtenAs = new HashMap<>();
        Map<String, Set<String>> read = new HashMap<>();
        for (RecordedEvent.Stored row : history.all(RecordedEvent.Stored.class)) {
            if (!stored.computeIfAbsent(row.stream(), stream -> new HashSet<>()).add(row.id())) {
                found.add(new Violation(text(), row.item(), "a record is stored twice: " + row.id(), List.of()));
            }
        }
        for (Entry entry : history.entries()) {
            if (entry.event() instanceof RecordedEvent.Written written) {
                String known = writtenAs.putIfAbsent(written.stream() + " " + written.item(), written.id());
                if (known != null && !known.equals(written.id())) {
                    found.add(violation(history, written.item(), "one key has two records"));
                }
                if (!stored.getOrDefault(written.stream(), Set.of()).contains(written.id())) {
                    found.add(violation(history, written.item(), "a record that a writer was told of is not stored"));
                }
            } else if (entry.event() instanceof RecordedEvent.PageRead page) {
                if (!read.computeIfAbsent(reader(page.stream(), page.reader()), reader -> new HashSet<>())
                        .add(page.id())) {
                    found.add(new Violation(text(), "", "a reader got a record twice", List.of(entry)));
                }
                if (!stored.getOrDefault(page.stream(), Set.of()).contains(page.id())) {
                    found.add(new Violation(text(), "", "a reader got a record that is not stored", List.of(entry)));
                }
            } else if (entry.event() instanceof RecordedEvent.PagesEnded end) {
                Set<String> missing = new HashSet<>(stored.getOrDefault(end.stream(), Set.of()));
                missing.removeAll(read.getOrDefault(reader(end.stream(), end.reader()), Set.of()));
                if (!missing.isEmpty()) {
                    found.add(new Violation(
                            text(),
                            "",
                            "a reader missed %d records: %s".formatted(missing.size(), missing),
                            List.of(entry)));
                }
            }
        }
        return found;
    }

    private static String reader(String stream, long reader) {
        return stream + " " + reader;
    }
}
