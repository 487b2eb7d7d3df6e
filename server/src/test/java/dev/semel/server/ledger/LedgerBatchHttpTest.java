// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of a batch in production with {@code on_mismatch: reject}, which has the most possible errors. */
class LedgerBatchHttpTest {
    private static final int LONGEST = 2_048;

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() throws Exception {
        server = InProcessServer.in(
                folder,
                """
                server: {production: true}
                limits: {body_bytes: %d}
                ledger: {on_mismatch: reject}
                tokens:
                  - {sha256: "%s", tenant: acme, actor: billing, role: operator}
                  - {sha256: "%s", tenant: other, actor: billing, role: operator}
                """.formatted(LONGEST, sha256("token"), sha256("others-token")),
                Map.of("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyLineIsAnsweredInItsPlace() {
        List<JsonObject> answers = batch(
                line("place-1", "acme", "'a'"),
                line("place-1", "acme", "'a'"),
                line("place-1", "acme", "'b'"),
                line("place-2", "other", "1"),
                "{'idempotency_key':'place-3','event':{'org_id':'acme'}}",
                line("place-4", "acme", "'" + "x".repeat(LONGEST) + "'"),
                "no json",
                line("place-5", "acme", "1"));

        assertThat(answers)
                .extracting(LedgerBatchHttpTest::status)
                .containsExactly(201, 200, 409, 403, 400, 413, 400, 201);
        assertThat(text(answers.get(1), "id")).isEqualTo(text(answers.get(0), "id"));
        assertThat(answers.subList(2, 7))
                .extracting(answer -> text(problem(answer), "type"))
                .containsExactly(
                        "/docs/problems/mismatch",
                        "/docs/problems/forbidden",
                        "/docs/problems/invalid-field",
                        "/docs/problems/content-too-large",
                        "/docs/problems/invalid-json");
        assertThat(text(problem(answers.get(4)), "field")).isEqualTo("/event/event_type");
    }

    @Test
    void bothLineEndingsAreAcceptedAndEmptyLinesSkipped() {
        String lines = "\n\r\n" + line("ends-1", "acme", "1") + "\r\n\n" + line("ends-2", "acme", "1");

        assertThat(batch(lines)).extracting(LedgerBatchHttpTest::status).containsExactly(201, 201);
        assertThat(batch("")).isEmpty();
        assertThat(batch("\n\n")).isEmpty();
    }

    /**
     * More lines than one transaction takes and more bytes than a body may have, with duplicates of lines in other
     * parts.
     */
    @Test
    void answersStandInOrderOverManyParts() {
        List<String> lines = new ArrayList<>();
        List<Integer> statuses = new ArrayList<>();
        IntStream.range(0, 1_200).forEach(i -> {
            boolean bad = i % 100 == 99;
            boolean repeat = i >= 1_100;
            lines.add(bad ? "bad" : line("many-" + (repeat ? i - 1_100 : i), "acme", "1"));
            statuses.add(bad ? 400 : repeat ? 200 : 201);
        });

        List<JsonObject> answers = batch(lines.toArray(String[]::new));

        assertThat(answers).extracting(LedgerBatchHttpTest::status).isEqualTo(statuses);
        for (int i = 1_100; i < 1_199; i++) {
            assertThat(text(answers.get(i), "id")).isEqualTo(text(answers.get(i - 1_100), "id"));
        }
    }

    @Test
    void anOrganizationCannotReadAnother() {
        String events = "/api/ledger/events";
        assertThat(server.get(events + "?org_id=other", "Authorization", "Bearer token")
                        .problem())
                .isEqualTo("forbidden");
        String event = events + "/" + text(batch(line("another-1", "acme", "1")).get(0), "id");
        assertThat(server.get(event, "Authorization", "Bearer token").status()).isEqualTo(200);
        assertThat(server.get(event, "Authorization", "Bearer others-token").problem())
                .isEqualTo("not-found");
        assertThat(server.get(events + "?org_id=acme", "Authorization", "Bearer token")
                        .status())
                .isEqualTo(200);
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<JsonObject> batch(String... lines) {
        Reply reply = server.send(server.request("/api/ledger/ingest/batch", "Authorization", "Bearer token")
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofString(
                        String.join("\n", lines).replace('\'', '"')))
                .build());
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo("application/x-ndjson");
        return reply.body()
                .lines()
                .map(answer -> (JsonObject) Json.parse(answer.getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    private static String line(String key, String organization, String payload) {
        return "{'idempotency_key':'%s','event':{'org_id':'%s','event_type':'t','payload':%s}}"
                .formatted(key, organization, payload);
    }

    private static int status(JsonObject answer) {
        return ((JsonNumber) answer.member("status").orElseThrow()).value().intValueExact();
    }

    private static JsonObject problem(JsonObject answer) {
        return (JsonObject) answer.member("problem").orElseThrow();
    }

    private static String text(JsonObject answer, String name) {
        return ((JsonString) answer.member(name).orElseThrow()).value();
    }
}
