// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The histories of all processes of a run, in the order of time. */
public final class ProcessHistory {
    private static final String SUFFIX = ".history";

    private final List<Entry> entries;
    private final Map<String, List<Entry>> byItem = new LinkedHashMap<>();
    private final Map<String, List<RecordedEvent.Stalled>> stalls = new HashMap<>();

    public ProcessHistory(List<Entry> unordered) {
        List<Entry> ordered = new ArrayList<>(unordered);
        ordered.sort(Comparator.comparingLong(entry -> entry.event().at()));
        entries = List.copyOf(ordered);
        for (Entry entry : entries) {
            if (!entry.event().item().isEmpty()) {
                byItem.computeIfAbsent(entry.event().item(), item -> new ArrayList<>())
                        .add(entry);
            }
            if (entry.event() instanceof RecordedEvent.Stalled stalled) {
                stalls.computeIfAbsent(entry.process(), process -> new ArrayList<>())
                        .add(stalled);
            }
        }
    }

    /** The path of a process's file in the folder. */
    public static Path file(Path folder, String process) {
        return folder.resolve(process + SUFFIX);
    }

    /** Reads all files of the folder. */
    public static ProcessHistory read(Path folder) {
        List<Entry> entries = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(SUFFIX)) {
                    entries.addAll(read(file, name.substring(0, name.length() - SUFFIX.length())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ProcessHistory(entries);
    }

    private static List<Entry> read(Path file, String process) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String text = Files.readString(file);
        // A killed process may have written a part of its last line.
        int complete = text.lastIndexOf('\n') + 1;
        text.substring(0, complete).lines().forEach(line -> entries.add(new Entry(process, HistoryLine.parse(line))));
        return entries;
    }

    public List<Entry> entries() {
        return entries;
    }

    /** The events of each item. */
    public Map<String, List<Entry>> byItem() {
        return byItem;
    }

    /** The events of one kind, in the order of time. */
    public <E extends RecordedEvent> List<E> all(Class<E> kind) {
        return entries.stream()
                .map(Entry::event)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** For how many nanoseconds a process did not run between two times. */
    public long stalled(String process, long from, long until) {
        long sum = 0;
        for (RecordedEvent.Stalled stalled : stalls.getOrDefault(process, List.of())) {
            sum += Math.max(0, Math.min(until, stalled.at()) - Math.max(from, stalled.from()));
        }
        return sum;
    }
}
