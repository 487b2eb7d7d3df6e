// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal.ledger;

import static dev.semel.journal.Entries.entry;
import static dev.semel.journal.Entries.event;
import static dev.semel.journal.Entries.get;
import static dev.semel.journal.Entries.json;
import static dev.semel.journal.Entries.text;
import static dev.semel.journal.Entries.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.claim.StoreException;
import dev.semel.journal.Entries;
import dev.semel.journal.MigratedDatabase;
import dev.semel.journal.page.Page;
import dev.semel.journal.page.PageBack;
import dev.semel.payload.compare.Difference;
import dev.semel.testservers.DatabaseKind;
import dev.semel.testservers.EachDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

@ParameterizedClass
@EachDatabase
class LedgerTest {
    @Parameter
    DatabaseKind kind;

    @TempDir
    Path folder;

    private MigratedDatabase database;
    private Ledger ledger;

    @BeforeEach
    void open() {
        database = MigratedDatabase.of(kind, folder);
        ledger = database.journal().ledger();
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void theFirstEntryIsWrittenAndADuplicateGetsTheSameEvent() throws Exception {
        LedgerEvent first = written(get(ledger.ingest(entry("order-17"))));
        Ingestion again = get(ledger.ingest(entry("order-17")));

        assertThat(again).isEqualTo(new Ingestion.Existing(first, new Difference(List.of(), true)));
        assertThat(database.count("events")).isEqualTo(1);
        assertThat(database.count("ledger_ingestion_idempotency")).isEqualTo(1);
        assertThat(database.single("SELECT event_id FROM ledger_ingestion_idempotency"))
                .isEqualTo(first.id().toString());
        assertThat(Duration.between(first.createdAt(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void anEventIsReturnedUnchanged() {
        String given = "{\"org_id\":\"Ω 😀\",\"actor_id\":\"a\",\"event_type\":\"t\",\"entity_type\":\"\","
                + "\"entity_id\":\"7\",\"payload\":{\"z\":12345678901234567890123,\"a\":1.10,\"b\":[null,true,\"\\u0000\"],"
                + "\"e\":1E+2},\"source\":{\"b\":1,\"a\":null},\"note\":\"'\\\\\\\"\"}";
        LedgerEntry entry = LedgerEntry.of("k", json(given));

        LedgerEvent first = written(get(ledger.ingest(entry)));

        LedgerEvent found = get(ledger.find("Ω 😀", first.id())).orElseThrow();
        assertThat(text(found.given())).isEqualTo(given).isEqualTo(text(first.given()));
        assertThat(text(found.json())).isEqualTo(text(first.json()));
        assertThat(text(event(get(database.journal().ledger().ingest(entry))).json()))
                .isEqualTo(text(first.json()));
    }

    @Test
    void membersThatFitNoColumnAreStoredToo() {
        String longName = "x".repeat(300);
        String given = "{\"org_id\":\"o\",\"event_type\":\"t\",\"actor_id\":null,\"entity_type\":5,\"entity_id\":\""
                + longName + "\",\"more\":\"\\u0001\"}";

        LedgerEvent first = written(get(ledger.ingest(LedgerEntry.of("k", json(given)))));

        assertThat(text(get(ledger.find("o", first.id())).orElseThrow().given()))
                .isEqualTo(text(first.given()));
        assertThat(first.given()).isEqualTo(json(given));
    }

    @Test
    void aDifferenceIsReportedByPointersAndNothingIsWritten() throws Exception {
        LedgerEvent first =
                written(get(ledger.ingest(entry("acme", "k", "{\"amount\":1,\"to\":{\"iban\":\"x\"},\"n\":[1,2]}"))));

        Ingestion again = get(ledger.ingest(entry("acme", "k", "{\"amount\":2,\"to\":{},\"n\":[1,2],\"new\":null}")));
        Ingestion reordered =
                get(ledger.ingest(entry("acme", "k", "{\"n\":[1,2.0],\"to\":{\"iban\":\"x\"},\"amount\":1e0}")));

        assertThat(again).isInstanceOfSatisfying(Ingestion.Existing.class, existing -> {
            assertThat(existing.event()).isEqualTo(first);
            assertThat(existing.difference().headerValue())
                    .isEqualTo("/payload/amount, /payload/new, /payload/to/iban");
        });
        assertThat(reordered)
                .isInstanceOfSatisfying(
                        Ingestion.Existing.class,
                        existing -> assertThat(existing.differs()).isFalse());
        assertThat(database.count("events")).isEqualTo(1);
    }

    @Test
    void aDifferenceCanBeAConflict() {
        Ledger strict = database.journal(builder -> builder.onMismatch(OnMismatch.REJECT))
                .ledger();
        LedgerEvent first = written(get(strict.ingest(entry("acme", "k", "1"))));

        assertThat(get(strict.ingest(entry("acme", "k", "2"))))
                .isInstanceOfSatisfying(Ingestion.Rejected.class, rejected -> {
                    assertThat(rejected.event()).isEqualTo(first);
                    assertThat(rejected.difference().headerValue()).isEqualTo("/payload");
                });
        assertThat(get(strict.ingest(entry("acme", "k", "1")))).isInstanceOf(Ingestion.Existing.class);
    }

    @Test
    void keysAreComparedByBytesAndOrganizationsAreSeparate() throws Exception {
        List<LedgerEntry> all = new ArrayList<>();
        for (String key : List.of("a", "A", "a ", "ä", "a\u0308", "á", "ａ", "k".repeat(1024), "字".repeat(1024))) {
            for (String org : List.of("o", "O", "o ", "ö")) {
                all.add(entry(org, key, "{}"));
            }
        }
        Set<UUID> ids = new HashSet<>();
        for (LedgerEntry one : all) {
            ids.add(written(get(ledger.ingest(one))).id());
        }
        assertThat(ids).hasSameSizeAs(all);
        for (LedgerEntry one : all) {
            LedgerEvent found = event(get(ledger.ingest(one)));
            assertThat(ids).contains(found.id());
            assertThat(found.orgId()).isEqualTo(one.orgId());
        }
        assertThat(get(ledger.page("o", null, 100)).items())
                .hasSize(9)
                .allMatch(event -> event.orgId().equals("o"));
        assertThat(database.count("events")).isEqualTo(all.size());
    }

    @Test
    void anOrganizationDoesNotFindEventsOfAnother() {
        LedgerEvent event = written(get(ledger.ingest(entry("acme", "k", "1"))));

        assertThat(get(ledger.find("other", event.id()))).isEmpty();
        assertThat(get(ledger.find("acme", UUID.randomUUID()))).isEmpty();
        assertThat(get(ledger.page("other", null, 10)).items()).isEmpty();
    }

    @Test
    void aBatchKeepsItsOrderAndItsDuplicatesAreOneEvent() throws Exception {
        LedgerEvent known = written(get(ledger.ingest(entry("known"))));
        List<LedgerEntry> entries = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            entries.add(entry("acme", "key-" + i, Integer.toString(i)));
        }
        entries.add(1, entry("acme", "key-0", "0"));
        entries.add(2, entry("acme", "key-0", "77"));
        entries.add(3, entry("known"));

        List<Ingestion> answers = get(ledger.ingestAll(entries));

        assertThat(answers).hasSameSizeAs(entries);
        LedgerEvent first = written(answers.get(0));
        assertThat(event(answers.get(1))).isEqualTo(first);
        assertThat(answers.get(2)).isInstanceOfSatisfying(Ingestion.Existing.class, existing -> {
            assertThat(existing.event()).isEqualTo(first);
            assertThat(existing.difference().headerValue()).isEqualTo("/payload");
        });
        assertThat(event(answers.get(3))).isEqualTo(known);
        assertThat(answers.subList(4, answers.size())).allMatch(one -> one instanceof Ingestion.Written);
        assertThat(database.count("events")).isEqualTo(2_501);
        List<UUID> writtenIds = Stream.concat(
                        Stream.of(known),
                        answers.stream()
                                .filter(one -> one instanceof Ingestion.Written)
                                .map(Entries::written))
                .map(LedgerEvent::id)
                .toList();
        assertThat(paged(1_000)).containsExactlyElementsOf(writtenIds);
    }

    @Test
    void pagesContinueFromTheirCursors() {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(written(get(ledger.ingest(entry("key-" + i)))).id());
        }
        Page<LedgerEvent> first = get(ledger.page("acme", "", 3));
        assertThat(first.items()).extracting(LedgerEvent::id).containsExactlyElementsOf(ids.subList(0, 3));
        assertThat(first.more()).isTrue();
        assertThat(paged(3)).containsExactlyElementsOf(ids);
        Page<LedgerEvent> all = get(ledger.page("acme", null, 7));
        assertThat(all.more()).isFalse();
        Page<LedgerEvent> end = get(ledger.page("acme", all.cursor(), 7));
        assertThat(end.items()).isEmpty();
        assertThat(end.cursor()).isEqualTo(all.cursor());
        assertThatThrownBy(() -> ledger.page("acme", "1-2; DROP", 7)).hasMessageContaining("after");
        assertThatThrownBy(() -> ledger.page("acme", null, 0)).hasMessageContaining("limit");
    }

    private List<UUID> paged(int limit) {
        List<UUID> ids = new ArrayList<>();
        String cursor = null;
        for (boolean more = true; more; ) {
            Page<LedgerEvent> page = get(ledger.page("acme", cursor, limit));
            page.items().forEach(event -> ids.add(event.id()));
            cursor = page.cursor();
            more = page.more();
        }
        return ids;
    }

    @Test
    void theDatabaseRefusesChanges() throws Exception {
        LedgerEvent event = written(get(ledger.ingest(entry("k"))));

        List<String> changes = new ArrayList<>(List.of(
                "UPDATE events SET event_type = 'other'",
                "DELETE FROM events",
                "DELETE FROM events WHERE id = '" + event.id() + "'"));
        if (kind == DatabaseKind.POSTGRESQL) {
            changes.add("TRUNCATE events CASCADE");
        } else {
            changes.add(
                    "REPLACE INTO events (position, id, org_id, event_type) SELECT position, id, org_id, 'x' FROM events");
        }
        for (String change : changes) {
            assertThatThrownBy(() -> database.execute(change)).as(change).hasMessageContaining("append-only");
        }
        assertThat(get(ledger.find("acme", event.id()))).contains(event);
    }

    @Test
    void otherApplicationsMayWriteEventsWithoutAKey() throws Exception {
        LedgerEvent before = written(get(ledger.ingest(entry("before"))));
        UUID id = UUID.randomUUID();
        database.execute(
                "INSERT INTO events (id, org_id, event_type, payload) VALUES ('%s', 'acme', 'other', '{\"b\": 1}')"
                        .formatted(id));
        LedgerEvent after = written(get(ledger.ingest(entry("after"))));

        assertThat(paged(10)).containsExactly(before.id(), id, after.id());
        LedgerEvent found = get(ledger.find("acme", id)).orElseThrow();
        assertThat(found.given())
                .isEqualTo(json("{\"org_id\":\"acme\",\"event_type\":\"other\",\"payload\":{\"b\":1}}"));
        assertThat(Duration.between(found.createdAt(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(5));
        assertThat(database.count("ledger_ingestion_idempotency")).isEqualTo(2);
    }

    /** The user has added a constraint that the library does not know. */
    @Test
    void oneBadRowFailsAlone() throws Exception {
        String refusing = switch (kind) {
            case POSTGRESQL -> "ALTER TABLE events ADD CONSTRAINT no_bad CHECK (event_type <> 'bad')";
            case MARIADB, MYSQL -> "ALTER TABLE events ADD CONSTRAINT no_bad CHECK (event_type <> 'bad')";
            case SQLITE ->
                "CREATE TRIGGER no_bad BEFORE INSERT ON events WHEN NEW.event_type = 'bad' BEGIN SELECT RAISE(ABORT, 'bad'); END";
        };
        database.execute(refusing);
        LedgerEntry bad = LedgerEntry.of("bad", json("{\"org_id\":\"acme\",\"event_type\":\"bad\"}"));
        List<LedgerEntry> entries = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            entries.add(entry("key-" + i));
        }
        entries.add(20, bad);

        List<Ingestion> batch = get(ledger.ingestAll(entries));
        List<CompletableFuture<Ingestion>> singles = Stream.concat(
                        Stream.of(bad), Stream.iterate(0, i -> i + 1).limit(50).map(i -> entry("single-" + i)))
                .map(entry -> ledger.ingest(entry).toCompletableFuture())
                .toList();

        for (int i = 0; i < entries.size(); i++) {
            if (i == 20) {
                assertThat(batch.get(i))
                        .isInstanceOfSatisfying(
                                Ingestion.Failed.class,
                                failed -> assertThat(failed.cause().kind()).isEqualTo(StoreException.Kind.REJECTED));
            } else {
                assertThat(batch.get(i)).isInstanceOf(Ingestion.Written.class);
            }
        }
        assertThat(get(singles.get(0))).isInstanceOf(Ingestion.Failed.class);
        assertThat(singles.subList(1, 51)).allMatch(one -> get(one) instanceof Ingestion.Written);
        assertThat(database.count("events")).isEqualTo(100);
        assertThat(database.count("ledger_ingestion_idempotency")).isEqualTo(100);
    }

    @Test
    void theErrorNamesTheBadMember() {
        assertThatThrownBy(() -> LedgerEntry.of("", json("{\"org_id\":\"o\",\"event_type\":\"t\"}")))
                .hasMessageContaining("idempotency_key");
        assertThatThrownBy(() -> LedgerEntry.of("a\nb", json("{\"org_id\":\"o\",\"event_type\":\"t\"}")))
                .hasMessageContaining("idempotency_key");
        assertThatThrownBy(() -> LedgerEntry.of("k", json("{\"event_type\":\"t\"}")))
                .hasMessageContaining("org_id");
        assertThatThrownBy(() -> LedgerEntry.of("k", json("{\"org_id\":\"o\",\"event_type\":5}")))
                .hasMessageContaining("event_type");
        assertThatThrownBy(() -> LedgerEntry.of("k", json("{\"org_id\":\"o\",\"event_type\":\"t\",\"id\":1}")))
                .hasMessageContaining("event.id");
    }

    @Test
    void theNewestEventsAreReadBackwards() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ids.add(written(get(ledger.ingest(entry("acme", "back-" + i, "{}"))))
                    .id()
                    .toString());
            get(ledger.ingest(entry("other", "back-" + i, "{}")));
        }

        PageBack newest = get(ledger.back("acme", null, 3));
        PageBack middle = get(ledger.back("acme", newest.after().orElseThrow(), 3));
        PageBack oldest = get(ledger.back("acme", middle.after().orElseThrow(), 3));

        assertThat(shown(newest)).isEqualTo(ids.subList(4, 7));
        assertThat(shown(middle)).isEqualTo(ids.subList(1, 4));
        assertThat(shown(oldest)).isEqualTo(ids.subList(0, 1));
        assertThat(oldest).isEqualTo(new PageBack(Optional.empty(), 1));
        assertThat(get(ledger.back("acme", null, 7))).isEqualTo(new PageBack(Optional.empty(), 7));
        assertThat(get(ledger.back("nobody", null, 7))).isEqualTo(new PageBack(Optional.empty(), 0));
        assertThatThrownBy(() -> ledger.back("acme", "x", 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ledger.back("acme", null, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private List<String> shown(PageBack back) {
        return get(ledger.page("acme", back.after().orElse(null), back.items())).items().stream()
                .map(event -> event.id().toString())
                .toList();
    }

    @Test
    void anEventIsFoundByItsKey() {
        LedgerEvent event = written(get(ledger.ingest(entry("acme", "by key", "{\"amount\":1}"))));

        assertThat(get(ledger.findByKey("acme", "by key")).orElseThrow().id()).isEqualTo(event.id());
        assertThat(get(ledger.findByKey("acme", "by other key"))).isEmpty();
        assertThat(get(ledger.findByKey("other", "by key"))).isEmpty();
    }
}
