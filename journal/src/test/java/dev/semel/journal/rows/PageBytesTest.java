// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.rows;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.json;
import static dev.semel.journal.Entries.written;
import static dev.semel.journal.InboxEntries.WAIT;
import static dev.semel.journal.InboxEntries.recorded;
import static dev.semel.journal.InboxEntries.webhookOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.InboxEntries;
import dev.semel.journal.Journal;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.calls.CallEvent;
import dev.semel.journal.calls.CallOutcome;
import dev.semel.journal.calls.StoredCall;
import dev.semel.journal.inbox.Inbox;
import dev.semel.journal.inbox.InboxEvent;
import dev.semel.journal.inbox.InboxQuery;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.journal.page.Page;
import dev.semel.key.Secrets;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import dev.semel.testservers.MeasuredDataSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Pages are limited by bytes: no row is missed, none is shown twice, and no query returns more than a page. */
@ParameterizedClass
@EachDatabase
class PageBytesTest {
    /** The bytes of a row without its content. */
    private static final int ROW = 1_000;

    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private MeasuredDataSource measured;
    private Journal journal;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        measured = new MeasuredDataSource(database.dataSource());
        journal = Journal.on(measured.dataSource())
                .inbox(Secrets.of(InboxEntries.OLD))
                .build();
    }

    @AfterEach
    void close() throws Exception {
        journal.close();
        database.close();
    }

    /** A payload of this many bytes: a JSON document, or none for zero. */
    private static LedgerEntry sized(int number, int bytes) {
        return bytes == 0
                ? LedgerEntry.of("k-" + number, json("{\"org_id\":\"acme\",\"event_type\":\"paid\"}"))
                : entry("acme", "k-" + number, bytes == 1 ? "1" : '"' + "x".repeat(bytes - 2) + '"');
    }

    private List<UUID> ledgerOf(int... sizes) {
        List<UUID> ids = new ArrayList<>();
        for (int size : sizes) {
            ids.add(written(get(journal.ledger().ingest(sized(ids.size(), size))))
                    .id());
        }
        measured.taken();
        return ids;
    }

    private Page<LedgerEvent> page(String after, int limit, int maxBytes) {
        return get(journal.ledger().page("acme", after, limit, maxBytes));
    }

    private static List<UUID> ids(Page<LedgerEvent> page) {
        return page.items().stream().map(LedgerEvent::id).toList();
    }

    /** Reads from cursor to cursor and checks the sizes of the pages. */
    private static <T> List<UUID> walked(
            BiFunction<String, Integer, CompletionStage<Page<T>>> pages,
            Function<T, UUID> id,
            int limit,
            Integer... sizes) {
        List<UUID> all = new ArrayList<>();
        List<Integer> found = new ArrayList<>();
        String cursor = null;
        Page<T> page;
        do {
            page = get(pages.apply(cursor, limit));
            cursor = page.cursor();
            found.add(page.items().size());
            page.items().forEach(item -> all.add(id.apply(item)));
        } while (page.more());
        assertThat(found).containsExactly(sizes);
        return all;
    }

    private List<UUID> walkedLedger(int limit, int maxBytes, Integer... sizes) {
        return walked(
                (after, most) -> journal.ledger().page("acme", after, most, maxBytes), LedgerEvent::id, limit, sizes);
    }

    @Test
    void aPageEndsBeforeTheEventThatWouldExceedIt() {
        List<UUID> ids = ledgerOf(400, 600, 0, 1, 999, 1, 1_001, 1_000, 5_000, 0, 0, 7);

        assertThat(walkedLedger(1_000, 1_000, 3, 2, 1, 1, 1, 1, 3)).isEqualTo(ids);
        assertThat(walkedLedger(2, 1_000, 2, 2, 2, 1, 1, 1, 2, 1))
                .as("limited by rows and by bytes")
                .isEqualTo(ids);
        assertThat(walkedLedger(1_000, Page.MAX_BYTES, 12)).isEqualTo(ids);
        assertThat(walkedLedger(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)).isEqualTo(ids);
    }

    @Test
    void aPageOfExactlyTheLimitFitsAndOneByteMoreDoesNot() {
        List<UUID> ids = ledgerOf(3_000, 1_000);

        assertThat(ids(page(null, 10, 4_000))).isEqualTo(ids);
        assertThat(page(null, 10, 4_000).more()).isFalse();
        assertThat(ids(page(null, 10, 3_999))).isEqualTo(ids.subList(0, 1));
        assertThat(page(null, 10, 3_999).more()).isTrue();
    }

    @Test
    void anEventThatIsLargerThanThePageIsShownAlone() {
        List<UUID> ids = ledgerOf(10, Page.MAX_BYTES - 600, 10);

        Page<LedgerEvent> first = page(null, 10, 1_000);
        Page<LedgerEvent> second = page(first.cursor(), 10, 1_000);
        Page<LedgerEvent> third = page(second.cursor(), 10, 1_000);

        assertThat(List.of(ids(first), ids(second), ids(third)))
                .containsExactly(ids.subList(0, 1), ids.subList(1, 2), ids.subList(2, 3));
        assertThat(second.items().get(0).given())
                .isEqualTo(sized(1, Page.MAX_BYTES - 600).event());
        assertThat(second.more()).isTrue();
        assertThat(third.more()).isFalse();
    }

    /** Characters of several bytes, and members without a column, count by their bytes. */
    @Test
    void contentIsCountedInBytes() {
        for (int i = 0; i < 4; i++) {
            written(get(journal.ledger()
                    .ingest(LedgerEntry.of(
                            "k-" + i,
                            json("{\"org_id\":\"acme\",\"event_type\":\"paid\",\"payload\":\"%s\",\"more\":\"%s\"}"
                                    .formatted("字".repeat(100), "ö".repeat(100)))))));
        }
        int each = 302 + "{\"more\":\"\"}".length() + 200;

        assertThat(page(null, 10, 2 * each).items()).hasSize(2);
        assertThat(page(null, 10, 2 * each - 1).items()).hasSize(1);
    }

    @Test
    void noQueryReturnsMoreThanAPage() {
        int bytes = 100_000;
        ledgerOf(IntStream.range(0, 60).map(i -> i % 3 == 0 ? 40_000 : 1_000).toArray());

        List<UUID> all = new ArrayList<>();
        String cursor = null;
        Page<LedgerEvent> page;
        do {
            page = page(cursor, 1_000, bytes);
            cursor = page.cursor();
            all.addAll(ids(page));
        } while (page.more());

        assertThat(all).hasSize(60).doesNotHaveDuplicates();
        assertThat(measured.taken())
                .isNotEmpty()
                .allSatisfy(sent -> assertThat(sent).isLessThanOrEqualTo(bytes + 60 * ROW));
    }

    @Test
    void aPageOfSmallEventsIsReadByOneStatement() {
        ledgerOf(IntStream.range(0, 20).map(i -> 200).toArray());

        page(null, 10, Page.MAX_BYTES);

        assertThat(measured.taken()).hasSize(kind == DatabaseKind.POSTGRESQL ? 2 : 1);
    }

    @Test
    void aPageOfManyRowsIsComplete() {
        int rows = PageReader.FIRST_ROWS + 2;
        List<LedgerEntry> entries = IntStream.range(0, rows)
                .mapToObj(i -> sized(i, i == 5 ? 50_000 : 20))
                .toList();
        get(journal.ledger().ingestAll(entries));

        assertThat(walkedLedger(rows, Page.MAX_BYTES, rows)).doesNotHaveDuplicates();
        assertThat(walkedLedger(rows - 1, Page.MAX_BYTES, rows - 1, 1)).doesNotHaveDuplicates();
        assertThat(walkedLedger(1_000, 50_000 + 20 * (rows - 2), rows - 1, 1)).doesNotHaveDuplicates();
    }

    @Test
    void pagesOfCallsAreLimitedByBytes() {
        List<UUID> ids = new ArrayList<>();
        for (int size : new int[] {100, 900, 30, 2_000, 30}) {
            String body = "{\"site_id\":\"s\",\"t\":\"%s\"}";
            CallEvent call = new CallEvent("s", json(body.formatted("x".repeat(size + 2 - body.length()))), null);
            ids.add(((CallOutcome.Inserted) get(journal.calls().record(call))).callId());
        }

        assertThat(walked(
                        (after, most) -> journal.calls().page("s", after, most, 1_000),
                        StoredCall::id,
                        100,
                        2,
                        1,
                        1,
                        1))
                .isEqualTo(ids);
        assertThat(walked(
                        (after, most) -> journal.calls().page("s", after, most, 999), StoredCall::id, 100, 1, 2, 1, 1))
                .isEqualTo(ids);
        assertThat(walked((after, most) -> journal.calls().page("s", after, most), StoredCall::id, 100, 5))
                .isEqualTo(ids);
    }

    @Test
    void pagesOfTheInboxAreLimitedByBytes() throws Exception {
        Inbox inbox = journal.inbox();
        List<UUID> ids = new ArrayList<>();
        for (int size : new int[] {500, 3_000, 1, 20_000, 1}) {
            ids.add(recorded(get(inbox.record(webhookOf("acme", "ev-" + ids.size(), "x".repeat(size)), WAIT))));
        }
        int firstTwo = Integer.parseInt(database.single(
                "SELECT sum(octet_length(headers) + octet_length(body)) FROM webhook_inbox WHERE id IN ('%s', '%s')"
                        .formatted(ids.get(0), ids.get(1))));
        measured.taken();

        for (InboxQuery query : List.of(
                InboxQuery.of("acme"),
                InboxQuery.of("acme").onlyUnacknowledged(),
                InboxQuery.of("acme").from("paypal"))) {
            assertThat(walked(
                            (after, most) -> inbox.page(query, after, most, firstTwo), InboxEvent::id, 100, 2, 1, 1, 1))
                    .isEqualTo(ids);
            assertThat(walked(
                            (after, most) -> inbox.page(query, after, most, firstTwo - 1),
                            InboxEvent::id,
                            100,
                            1,
                            2,
                            1,
                            1))
                    .isEqualTo(ids);
            assertThat(walked((after, most) -> inbox.page(query, after, most), InboxEvent::id, 100, 5))
                    .isEqualTo(ids);
        }
        assertThat(InboxEntries.text(get(inbox.page(InboxQuery.of("acme"), null, 10, 1_000))
                        .items()
                        .get(0)))
                .isEqualTo("x".repeat(500));
    }

    @Test
    void theLimitIsCheckedAgainstItsRange() {
        assertThatThrownBy(() -> page(null, 10, 0)).hasMessageContaining("maxBytes must be 1 to 4194304, but is 0");
        assertThatThrownBy(() -> page(null, 10, Page.MAX_BYTES + 1)).hasMessageContaining("4194305");
    }
}
