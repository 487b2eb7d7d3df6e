// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The ledger: events are stored once for their key. */
@BlackBox
@ParameterizedClass
@EnumSource(value = Environment.class, mode = EnumSource.Mode.EXCLUDE, names = "DYNAMODB")
class LedgerTest {
    @Parameter
    Environment environment;

    private RunningServer server;
    private Caller caller;

    @BeforeEach
    void someTenant() {
        server = environment.shared();
        caller = server.caller();
    }

    @Test
    void writesAnEventAndAnswersWithIt() {
        String key = Marks.text("key");
        JsonObject event = Ledger.event(caller.tenant()).put("source", "billing");

        Answer answer = Ledger.ingest(caller, key, event);

        assertThat(answer.status()).isEqualTo(201);
        Idempotent.isMiss(answer);
        assertThat(answer.header("X-Idempotency-Key")).isEqualTo(key);
        JsonObject written = answer.json();
        assertThat(UUID.fromString(written.getString("id"))).hasToString(written.getString("event_id"));
        assertThat(Instant.parse(written.getString("created_at"))).isNotNull();
        event.forEach(member -> assertThat(written.getValue(member.getKey())).isEqualTo(member.getValue()));
    }

    @Test
    void answersARepeatWithTheOriginal() {
        String key = Marks.text("key");
        JsonObject event = Ledger.event(caller.tenant());
        Answer first = Ledger.ingest(caller, key, event);

        Answer repeat = Ledger.ingest(caller, key, event);

        assertThat(repeat.status()).isEqualTo(200);
        Idempotent.isHit(repeat);
        assertThat(repeat.header("X-Idempotency-Key")).isEqualTo(key);
        assertThat(repeat.header("Idempotency-Differs")).isEmpty();
        assertThat(repeat.json()).isEqualTo(first.json());
        assertThat(Ledger.all(caller, 10, 1)).hasSize(1);
    }

    @Test
    void seesNoDifferenceInAnotherSpelling() {
        String key = Marks.text("key");
        String body = """
                {"idempotency_key": "%s", "event": {"org_id": "%s", "event_type": "t", "payload": %s}}""";
        caller.postText(Ledger.INGEST, body.formatted(key, caller.tenant(), "{\"a\":1,\"b\":\"\\u00e9\",\"c\":100}"));

        Answer repeat = caller.postText(
                Ledger.INGEST, body.formatted(key, caller.tenant(), "{ \"c\": 1e2, \"b\" :\"é\", \"a\":1.0 }"));

        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.header("Idempotency-Differs")).isEmpty();
    }

    @Test
    void namesWhatDiffersWithoutItsValues() {
        String key = Marks.text("key");
        JsonObject payload = new JsonObject()
                .put("amount", 100)
                .put("a/b", 1)
                .put("gone", 1)
                .put("lines", new JsonArray().add(1).add(2));
        Answer first = Ledger.ingest(caller, key, Ledger.event(caller.tenant()).put("payload", payload));
        JsonObject changed = new JsonObject()
                .put("amount", 200)
                .put("a/b", 2)
                .put("added", 1)
                .put("lines", new JsonArray().add(1).add(3));

        Answer answer = Ledger.ingest(
                caller,
                key,
                Ledger.event(caller.tenant()).put("payload", changed).put("entity_id", "inv-8"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json()).isEqualTo(first.json());
        assertThat(answer.header("Idempotency-Differs").split(", "))
                .containsExactlyInAnyOrder(
                        "/payload/amount",
                        "/payload/a~1b",
                        "/payload/gone",
                        "/payload/added",
                        "/payload/lines/1",
                        "/entity_id");
        assertThat(Ledger.all(caller, 10, 1)).hasSize(1);
    }

    @Test
    void seesADifferenceBeyondTheExactnessOfDoubles() {
        String key = Marks.text("key");
        String body = """
                {"idempotency_key": "%s", "event": {"org_id": "%s", "event_type": "t", "payload": {"n": %s}}}""";
        Answer first = caller.postText(Ledger.INGEST, body.formatted(key, caller.tenant(), "9007199254740993"));
        assertThat(first.text()).contains("9007199254740993");

        Answer other = caller.postText(Ledger.INGEST, body.formatted(key, caller.tenant(), "9007199254740992"));

        assertThat(other.header("Idempotency-Differs")).isEqualTo("/payload/n");
        assertThat(other.text()).contains("9007199254740993");
    }

    @Test
    void keepsKeysApartByteForByte() {
        String key = Marks.text("key");
        List<String> keys = List.of(
                key,
                key.toUpperCase(java.util.Locale.ROOT),
                key + " ",
                key + "é",
                key + "e\u0301",
                key + "\uD83D\uDE00");
        List<String> ids = keys.stream()
                .map(each -> Ledger.ingest(caller, each))
                .peek(answer -> assertThat(answer.status()).isEqualTo(201))
                .map(answer -> answer.get("id"))
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
        for (int i = 0; i < keys.size(); i++) {
            assertThat(Ledger.ingest(caller, keys.get(i)).get("id")).isEqualTo(ids.get(i));
        }
    }

    @Test
    void boundsAKey() {
        String longest = Marks.text("key");
        longest = longest + "k".repeat(1_024 - longest.length());
        assertThat(Ledger.ingest(caller, longest).status()).isEqualTo(201);
        assertThat(Ledger.ingest(caller, longest).status()).isEqualTo(200);
        Problem.isProblem(Ledger.ingest(caller, longest + "k"), 400, "idempotency_key");
        Problem.isProblem(Ledger.ingest(caller, ""), 400, "idempotency_key");
        Problem.isProblem(Ledger.ingest(caller, "a\u0000b"), 400, "idempotency_key");
        Problem.isProblem(Ledger.ingest(caller, "a\nb"), 400, "idempotency_key");
        Problem.isProblem(Ledger.ingest(caller, null), 400, "idempotency_key");
        Problem.isProblem(
                caller.post(Ledger.INGEST, new JsonObject().put("event", Ledger.event(caller.tenant()))),
                400,
                "idempotency_key");
        assertThat(Ledger.all(caller, 10, 1)).hasSize(1);
    }

    @Test
    void asksForTenantAndTypeOnly() {
        for (String member : List.of("org_id", "event_type")) {
            JsonObject event = Ledger.event(caller.tenant());
            event.remove(member);
            Problem.isProblem(Ledger.ingest(caller, Marks.text("key"), event), 400, member);
        }
        Problem.isProblem(
                caller.post(Ledger.INGEST, new JsonObject().put("idempotency_key", Marks.text("key"))), 400, "event");
        assertThat(Ledger.all(caller, 10)).isEmpty();
        JsonObject least = new JsonObject().put("org_id", caller.tenant()).put("event_type", "t");
        assertThat(Ledger.ingest(caller, Marks.text("key"), least).status()).isEqualTo(201);
    }

    @Test
    void keepsAnyPayloadAsItIs() {
        for (String payload : List.of(
                "null",
                "[]",
                "\"text\"",
                "0.1",
                "-1e-300",
                "123456789012345678901234567890",
                "{\"\":{\"é\":\"\\u0000\"}}")) {
            String key = Marks.text("key");
            String body = """
                    {"idempotency_key": "%s", "event": {"org_id": "%s", "event_type": "t", "payload": %s}}""";
            String text = body.formatted(key, caller.tenant(), payload);
            Answer first = caller.postText(Ledger.INGEST, text);
            assertThat(first.status()).as(payload).isEqualTo(201);
            Answer repeat = caller.postText(Ledger.INGEST, text);
            assertThat(repeat.status()).as(payload).isEqualTo(200);
            assertThat(repeat.header("Idempotency-Differs")).as(payload).isEmpty();
            assertThat(repeat.json()).as(payload).isEqualTo(first.json());
        }
    }

    @Test
    void knowsAKeyPerTenantOnly() {
        Caller other = server.caller();
        String key = Marks.text("key");
        Answer mine = Ledger.ingest(caller, key);
        Answer theirs = Ledger.ingest(other, key);
        assertThat(theirs.status()).isEqualTo(201);
        assertThat(theirs.get("id")).isNotEqualTo(mine.get("id"));
        assertThat(Ledger.all(other, 10, 1)).hasSize(1);
    }

    @Test
    void findsAnEventByItsId() {
        Answer written = Ledger.ingest(caller, Marks.text("key"));
        Answer found = caller.get(Ledger.EVENTS + "/" + written.get("id"));
        assertThat(found.status()).isEqualTo(200);
        assertThat(found.json()).isEqualTo(written.json());
        Problem.isProblem(caller.get(Ledger.EVENTS + "/" + UUID.randomUUID()), 404);
    }

    @Test
    void listsInTheOrderOfWritingWithACursor() {
        List<String> ids = IntStream.range(0, 7)
                .mapToObj(i -> Ledger.ingest(caller, Marks.text("key")).get("id"))
                .toList();
        for (int limit : new int[] {1, 3, 7, 100}) {
            assertThat(Ledger.all(caller, limit, ids.size()))
                    .extracting(event -> event.getString("id"))
                    .isEqualTo(ids);
        }
        for (String bad :
                List.of("limit=0", "limit=-1", "limit=x", "limit=1000000000", "after=%00", "after=nonsense")) {
            String name = bad.substring(0, bad.indexOf('='));
            Problem.isProblem(caller.get(Ledger.EVENTS + "?org_id=" + caller.tenant() + "&" + bad), 400, name);
        }
    }

    @Test
    void writesOnceForACrowd() {
        String key = Marks.text("key");
        JsonObject event = Ledger.event(caller.tenant());
        List<Answer> answers = Crowd.of(16, i -> Ledger.ingest(caller, key, event));
        assertThat(answers).extracting(Answer::status).containsOnly(200, 201);
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
        assertThat(answers)
                .extracting(answer -> answer.get("id"))
                .containsOnly(answers.get(0).get("id"));
        assertThat(Ledger.all(caller, 100, 1)).hasSize(1);
    }

    @Test
    void writesToTheTablesOfTheSeed() {
        String key = Marks.text("key");
        String id = Ledger.ingest(caller, key).get("id");
        assertThat(server.database()
                        .count(
                                "SELECT count(*) FROM ledger_ingestion_idempotency WHERE org_id = ? AND idempotency_key = ?",
                                caller.tenant(),
                                key))
                .isEqualTo(1);
        assertThat(server.database().count("SELECT count(*) FROM events WHERE org_id = ?", caller.tenant()))
                .isEqualTo(1);
        assertThat(id).isNotNull();
    }

    @Test
    void showsEventsOfOtherWriters() throws SQLException {
        Ledger.ingest(caller, Marks.text("key"));
        String id = UUID.randomUUID().toString();
        String uuid = server.database().url().contains("postgresql") ? "CAST(? AS uuid)" : "?";
        try (Connection connection = server.database().connect();
                PreparedStatement statement = connection.prepareStatement(
                        "INSERT INTO events (id, org_id, event_type) VALUES (%s, ?, ?)".formatted(uuid))) {
            statement.setString(1, id);
            statement.setString(2, caller.tenant());
            statement.setString(3, "written.elsewhere");
            statement.executeUpdate();
        }
        assertThat(caller.get(Ledger.EVENTS + "/" + id).get("event_type")).isEqualTo("written.elsewhere");
        assertThat(Ledger.all(caller, 1, 2))
                .hasSize(2)
                .last()
                .satisfies(event -> assertThat(event.getString("id")).isEqualTo(id));
    }

    @Test
    void isAppendOnlyInTheDatabaseItself() throws SQLException {
        Ledger.ingest(caller, Marks.text("key"));
        try (Connection connection = server.database().connect();
                Statement statement = connection.createStatement()) {
            for (String change : List.of("DELETE FROM events", "UPDATE events SET event_type = 'x'")) {
                assertThatThrownBy(() ->
                                statement.executeUpdate("%s WHERE org_id = '%s'".formatted(change, caller.tenant())))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("append-only");
            }
        }
        assertThat(Ledger.all(caller, 10, 1)).hasSize(1);
    }
}
