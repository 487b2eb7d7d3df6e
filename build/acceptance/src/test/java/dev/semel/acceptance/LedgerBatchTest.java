// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code POST /api/ledger/ingest/batch}. */
@BlackBox
@ParameterizedClass
@EnumSource(value = Environment.class, mode = EnumSource.Mode.EXCLUDE, names = "DYNAMODB")
class LedgerBatchTest {
    private static final String NDJSON = "application/x-ndjson";

    @Parameter
    Environment environment;

    private Caller caller;

    @BeforeEach
    void someTenant() {
        caller = environment.shared().caller();
    }

    @Test
    void answersLineByLineInOrder() {
        List<String> keys = keys(50);

        Answer answer = batch(lines(keys));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.mediaType()).isEqualTo(NDJSON);
        assertThat(answer.lines())
                .hasSize(50)
                .allSatisfy(line -> assertThat(status(line)).isEqualTo(201));
        assertThat(Ledger.all(caller, 100, 50))
                .extracting(event -> event.getString("id"))
                .isEqualTo(ids(answer));
        for (int i = 0; i < keys.size(); i += 7) {
            assertThat(Ledger.ingest(caller, keys.get(i)).get("id"))
                    .isEqualTo(ids(answer).get(i));
        }
    }

    @Test
    void answersARepeatedBatchWithTheSameEvents() {
        String lines = lines(keys(20));
        Answer first = batch(lines);
        Answer repeat = batch(lines);
        assertThat(repeat.lines()).allSatisfy(line -> assertThat(status(line)).isEqualTo(200));
        assertThat(ids(repeat)).isEqualTo(ids(first));
        assertThat(Ledger.all(caller, 100, 20)).hasSize(20);
    }

    @Test
    void makesOneEventOfDuplicatesInTheBatch() {
        String key = Marks.text("key");
        String other = Marks.text("key");
        Answer answer = batch(lines(List.of(key, other, key, key)));
        assertThat(answer.lines()).extracting(LedgerBatchTest::status).containsExactly(201, 201, 200, 200);
        assertThat(ids(answer).get(2)).isEqualTo(ids(answer).get(0));
        assertThat(ids(answer).get(3)).isEqualTo(ids(answer).get(0));
        assertThat(Ledger.all(caller, 100, 2)).hasSize(2);
    }

    @Test
    void goesOnAfterABadLine() {
        String good =
                Ledger.entry(Marks.text("key"), Ledger.event(caller.tenant())).encode();
        String last =
                Ledger.entry(Marks.text("key"), Ledger.event(caller.tenant())).encode();
        List<String> bad = List.of(
                "{not json",
                "[]",
                "{}",
                "{\"idempotency_key\":\"\",\"event\":{}}",
                Ledger.entry(Marks.text("key"), new JsonObject()).encode());

        Answer answer = batch(good + "\n" + String.join("\n", bad) + "\n" + last);

        List<JsonObject> lines = answer.lines();
        assertThat(lines).hasSize(bad.size() + 2);
        assertThat(status(lines.get(0))).isEqualTo(201);
        assertThat(status(lines.get(lines.size() - 1))).isEqualTo(201);
        assertThat(lines.subList(1, lines.size() - 1)).allSatisfy(line -> {
            assertThat(status(line)).isEqualTo(400);
            assertThat(line.encode()).contains("\"type\"").contains("\"detail\"");
        });
        assertThat(Ledger.all(caller, 100, 2)).hasSize(2);
    }

    @Test
    void takesABatchOfManyPages() {
        List<String> keys = keys(3_000);
        Answer answer = batch(lines(keys));
        assertThat(answer.lines())
                .hasSize(3_000)
                .allSatisfy(line -> assertThat(status(line)).isEqualTo(201));
        assertThat(ids(answer)).doesNotHaveDuplicates();
        assertThat(Ledger.all(caller, 500, 3_000))
                .extracting(event -> event.getString("id"))
                .isEqualTo(ids(answer));
    }

    private Answer batch(String lines) {
        return Ledger.batch(caller, lines);
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(i -> Marks.text("key")).toList();
    }

    private String lines(List<String> keys) {
        List<String> lines = new ArrayList<>();
        keys.forEach(key ->
                lines.add(Ledger.entry(key, Ledger.event(caller.tenant()).put("payload", key))
                        .encode()));
        return String.join("\n", lines) + "\n";
    }

    private static int status(JsonObject line) {
        return line.getInteger("status");
    }

    private static List<String> ids(Answer answer) {
        return answer.lines().stream().map(line -> line.getString("id")).toList();
    }
}
