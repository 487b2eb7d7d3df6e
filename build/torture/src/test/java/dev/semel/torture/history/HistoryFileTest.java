// SPDX-License-Identifier: Apache-2.0
package dev.semel.torture.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process writes is what the checker reads, also if the process was killed while it wrote. */
class HistoryFileTest {
    @TempDir
    Path folder;

    @Test
    void readsTheEventsOfAllProcessesInTheOrderOfTime() throws IOException {
        RecordedEvent later = new RecordedEvent.Told(9, "item", 1, Answer.SUCCEEDED, 3, "hash");
        RecordedEvent earlier = new RecordedEvent.Unexpected(5, "", "a\ttab and\na line");
        write("one", later);
        write("two", earlier);
        assertThat(ProcessHistory.read(folder).entries())
                .containsExactly(
                        new Entry("two", new RecordedEvent.Unexpected(5, "", "a tab and a line")),
                        new Entry("one", later));
    }

    @Test
    void ignoresAnIncompleteLastLine() throws IOException {
        RecordedEvent event = new RecordedEvent.Asked(1, "item", 2, 3, 4);
        write("one", event);
        Files.writeString(ProcessHistory.file(folder, "one"), "Asked\t2\tite", StandardOpenOption.APPEND);
        assertThat(ProcessHistory.read(folder).entries()).isEqualTo(List.of(new Entry("one", event)));
    }

    @Test
    void countsHowLongAProcessStoodStill() {
        ProcessHistory history = new ProcessHistory(List.of(
                new Entry("one", new RecordedEvent.Stalled(100, "", 40)),
                new Entry("two", new RecordedEvent.Stalled(90, "", 0))));
        assertThat(history.stalled("one", 50, 80)).isEqualTo(30);
        assertThat(history.stalled("one", 0, 200)).isEqualTo(60);
        assertThat(history.stalled("one", 100, 200)).isZero();
    }

    private void write(String process, RecordedEvent event) {
        try (HistoryFile file = HistoryFile.create(ProcessHistory.file(folder, process))) {
            file.write(event);
        }
    }
}
