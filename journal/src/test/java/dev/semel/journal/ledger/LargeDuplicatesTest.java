// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.Journal;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.MeasuredDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Small entries use the keys of large events. Each is compared with its event, but only few events are in memory at a time. */
@ParameterizedClass
@EachDatabase
class LargeDuplicatesTest {
    private static final int EVENTS = 20;
    private static final int SIZE = 300_000;

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private MeasuredDataSource measured;
    private Journal journal;
    private Ledger ledger;
    private final List<UUID> ids = new ArrayList<>();

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        measured = new MeasuredDataSource(database.dataSource());
        journal = Journal.on(measured.dataSource()).build();
        ledger = journal.ledger();
        for (int i = 0; i < EVENTS; i++) {
            ids.add(written(get(ledger.ingest(large(i)))).id());
        }
        measured.taken();
    }

    @AfterEach
    void close() throws Exception {
        journal.close();
        database.close();
    }

    private static LedgerEntry large(int number) {
        return entry("acme", "k-" + number, '"' + "x".repeat(SIZE) + number + '"');
    }

    private static LedgerEntry small(int number) {
        return entry("acme", "k-" + number, "\"small\"");
    }

    private void requireBounded() {
        assertThat(measured.taken()).allSatisfy(sent -> assertThat(sent).isLessThanOrEqualTo(Page.MAX_BYTES + 100_000));
    }

    @Test
    void allEventsAreComparedButFewAreInMemory() {
        List<Ingestion> answers = get(ledger.ingestAll(
                IntStream.range(0, EVENTS).mapToObj(LargeDuplicatesTest::small).toList()));

        requireBounded();
        int held = 0;
        for (int i = 0; i < EVENTS; i++) {
            Ingestion.Existing existing = (Ingestion.Existing) answers.get(i);
            assertThat(existing.event().id()).isEqualTo(ids.get(i));
            assertThat(existing.difference().headerValue()).isEqualTo("/payload");
            if (existing.event().isOmitted()) {
                assertThatThrownBy(existing.event()::given).hasMessageContaining("find the event by its id");
                assertThat(get(ledger.find("acme", existing.event().id()))
                                .orElseThrow()
                                .given())
                        .isEqualTo(large(i).event());
            } else {
                assertThat(existing.event().given()).isEqualTo(large(i).event());
                held++;
            }
        }
        assertThat(held).isEqualTo(Page.MAX_BYTES / SIZE);
    }

    @Test
    void equalEventsAreNotReadIntoMemoryTwice() {
        List<Ingestion> answers = get(ledger.ingestAll(
                IntStream.range(0, EVENTS).mapToObj(LargeDuplicatesTest::large).toList()));

        for (int i = 0; i < EVENTS; i++) {
            Ingestion.Existing existing = (Ingestion.Existing) answers.get(i);
            assertThat(existing.event().id()).isEqualTo(ids.get(i));
            assertThat(existing.differs()).isFalse();
            assertThat(existing.event().isOmitted()).isFalse();
        }
    }

    @Test
    void aCallerOfASingleEntryGetsTheWholeEvent() {
        List<CompletionStage<Ingestion>> asked = IntStream.range(0, EVENTS)
                .mapToObj(i -> ledger.ingest(small(i)))
                .toList();

        for (int i = 0; i < EVENTS; i++) {
            Ingestion.Existing existing = (Ingestion.Existing) get(asked.get(i));
            assertThat(existing.event().given()).isEqualTo(large(i).event());
            assertThat(existing.difference().headerValue()).isEqualTo("/payload");
        }
        requireBounded();
    }

    @Test
    void newEventsOfManySizesAreWrittenTogether() {
        List<Ingestion> answers = get(ledger.ingestAll(IntStream.range(100, 160)
                .mapToObj(i -> i % 2 == 0 ? large(i) : small(i))
                .toList()));

        assertThat(answers).hasSize(60).allMatch(answer -> answer instanceof Ingestion.Written);
    }
}
