// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.journal.calls.CallSignature;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Call events over HTTP, on the real server with SQLite: the matrix of seed 000, and what is told of an event. */
class CallsTest {
    private static final String EVENT = "/api/call-event";
    private static final CallSignature SIGNATURE = new CallSignature("site-secret");
    private static final String YAML = """
            calls:
              sites:
                signed: {secret: site-secret}
                open: {signing: off}
            """;

    @TempDir
    Path folder;

    private InProcessServer server;

    @BeforeEach
    void start() {
        server = InProcessServer.in(folder, YAML, Map.of());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void restart(String yaml) {
        server.close();
        server = InProcessServer.in(folder, yaml, Map.of());
    }

    /** A cache is trusted while its epoch is fresh: on a machine that stood still, the next repeat is answered by it. */
    @Test
    void aRepeatIsANoopByTheCacheAndWithoutOneByTheIndex() {
        String body = "{\"site_id\":\"signed\"}";
        String timestamp = seconds(0);
        Reply first = signed(timestamp, body);
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text("status")).isEqualTo("inserted");
        assertThat(first.json().members()).containsOnlyKeys("status", "call_id");
        assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
        assertThat(first.header("X-Idempotency-Key")).isEqualTo(CallSignature.hashOf(sign(timestamp, body)));
        assertThat(first.header("Idempotent-Replayed")).isEmpty();

        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> isNoop(first, signed(timestamp, body)).equals("replay_cache"));
        restart(YAML);

        assertThat(isNoop(first, signed(timestamp, body))).isEqualTo("idempotent_conflict");
        assertThat(calls("signed")).hasSize(1);
    }

    @Test
    void withoutASignatureEveryEventIsStored() {
        Reply first = server.post(EVENT, "{\"site_id\":\"open\",\"n\":1}");
        Reply second = server.post(EVENT, "{\"site_id\":\"open\",\"n\":1}", "x-ops-signature", "");

        assertThat(List.of(first.status(), second.status())).containsOnly(201);
        assertThat(second.text("call_id")).isNotEqualTo(first.text("call_id"));
        assertThat(first.header("X-Idempotency-Key")).isEmpty();
        assertThat(calls("open")).hasSize(2).allSatisfy(call -> {
            assertThat(call.member("signature_hash")).contains(JsonNull.NULL);
            assertThat(call.member("unverified")).contains(new JsonBoolean(true));
        });
    }

    @Test
    void aSignatureThatNobodyChecksStillSaysWhatIsARepeat() {
        String body = "{\"site_id\":\"open\"}";
        Reply first = server.post(EVENT, body, "x-ops-signature", "Anything");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.member("unverified")).isEqualTo(new JsonBoolean(true));

        Reply repeat = server.post(EVENT, body, "x-ops-signature", "aNYTHING");

        isNoop(first, repeat);
        assertThat(repeat.member("unverified")).isEqualTo(new JsonBoolean(true));
    }

    @Test
    void whatIsTooOldOrTooNewIsTakenOnlyIfItIsKnown() {
        String body = "{\"site_id\":\"signed\",\"n\":1}";
        String old = seconds(-3_600);
        String future = seconds(3_600);
        assertThat(signed(old, body).problem()).isEqualTo("invalid-signature");
        assertThat(signed(future, body).problem()).isEqualTo("invalid-signature");
        assertThat(calls("signed")).isEmpty();

        restart(YAML + "  tolerance_seconds: 86400\n");
        Reply first = signed(old, body);
        assertThat(first.status()).isEqualTo(201);
        restart(YAML);

        assertThat(isNoop(first, signed(old, body))).isEqualTo("idempotent_conflict");
        assertThat(signed(old, body + " ").status()).as("another event").isEqualTo(401);
        assertThat(signed(seconds(-60), body).status())
                .as("within the tolerance")
                .isEqualTo(201);
        assertThat(signed(seconds(60) + "000", body).status())
                .as("in milliseconds")
                .isEqualTo(201);
    }

    @Test
    void theWayBackWritesNoHashAndKnowsNoRepeat() {
        restart(YAML + "  write_signature_hash: false\n");
        String body = "{\"site_id\":\"signed\"}";
        String timestamp = seconds(0);

        assertThat(signed(timestamp, body).status()).isEqualTo(201);
        assertThat(signed(timestamp, body).status()).isEqualTo(201);

        assertThat(calls("signed"))
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.member("signature_hash")).contains(JsonNull.NULL));
    }

    @Test
    void whatIsStoredIsWhatWasSent() {
        Reply sent = server.post(EVENT, "{\"site_id\":\"open\", \"n\": 1.5}", "x-ops-signature", "s");
        Reply found = server.get("/api/calls/" + sent.text("call_id"));

        assertThat(found.text("id")).isEqualTo(sent.text("call_id"));
        assertThat(found.text("site_id")).isEqualTo("open");
        assertThat(found.text("signature_hash")).isEqualTo(CallSignature.hashOf("s"));
        assertThat(found.body()).contains("\"n\":1.5");
        assertThat(server.get("/api/calls/nobody").problem()).isEqualTo("not-found");
    }

    @Test
    void inProductionNobodySeesAnothersCallsAndNothingUnsignedIsTaken() throws Exception {
        server.close();
        server = InProcessServer.in(
                folder,
                """
                server: {production: true}
                tokens:
                  - {sha256: "%s", tenant: signed, actor: ops, role: viewer}
                  - {sha256: "%s", tenant: other, actor: ops, role: operator}
                """.formatted(sha256("own-token"), sha256("others-token")) + YAML.replace("open: {signing: off}", ""),
                Map.of("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef"));
        String body = "{\"site_id\":\"signed\"}";
        String timestamp = seconds(0);
        String id = signed(timestamp, body).text("call_id");
        String[] own = {"Authorization", "Bearer own-token"};
        String[] others = {"Authorization", "Bearer others-token"};

        assertThat(server.get("/api/calls/" + id, own).text("id")).isEqualTo(id);
        assertThat(server.get("/api/calls/" + id, others).problem()).isEqualTo("not-found");
        assertThat(server.get("/api/calls?site_id=signed", own).body()).contains(id);
        assertThat(server.get("/api/calls?site_id=signed", others).problem()).isEqualTo("forbidden");
        for (String unsigned : List.of(body, "{\"site_id\":\"nobody\"}")) {
            assertThat(server.post(EVENT, unsigned).problem()).isEqualTo("invalid-signature");
            assertThat(server.post(EVENT, unsigned, "x-ops-signature", "00", "x-ops-timestamp", timestamp)
                            .problem())
                    .isEqualTo("invalid-signature");
        }
        assertThat(server.get("/api/calls?site_id=signed", own).body()).containsOnlyOnce("\"call_id\"");
    }

    @Test
    void errorsNameTheField() {
        assertThat(server.post(EVENT, "{}").text("field")).isEqualTo("/site_id");
        assertThat(server.post(EVENT, "{\"site_id\":7}").text("field")).isEqualTo("/site_id");
        assertThat(server.post(EVENT, "{\"site_id\":\"%s\"}".formatted("s".repeat(256)))
                        .text("field"))
                .isEqualTo("/site_id");
        assertThat(server.get("/api/calls?site_id=").text("field")).isEqualTo("site_id");
        assertThat(server.get("/api/calls?site_id=a&after=nonsense").text("field"))
                .isEqualTo("after");
        assertThat(server.get("/api/calls?site_id=a&limit=0").text("field")).isEqualTo("limit");
        assertThat(server.post(EVENT, "{\"site_id\":\"s\"}", "x-ops-signature", "a", "x-ops-signature", "b")
                        .status())
                .as("nobody can say which of two it is")
                .isEqualTo(400);
    }

    private static String sha256(String text) throws NoSuchAlgorithmException {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String seconds(long fromNow) {
        return String.valueOf(Instant.now().getEpochSecond() + fromNow);
    }

    private static String sign(String timestamp, String body) {
        return SIGNATURE.sign(timestamp, body.getBytes(StandardCharsets.UTF_8));
    }

    private Reply signed(String timestamp, String body) {
        return server.post(EVENT, body, "x-ops-timestamp", timestamp, "x-ops-signature", sign(timestamp, body));
    }

    /** Why it is one. */
    private static String isNoop(Reply first, Reply repeat) {
        assertThat(repeat.status()).as(repeat.body()).isEqualTo(200);
        assertThat(repeat.text("status")).isEqualTo("noop");
        assertThat(repeat.text("call_id")).isEqualTo(first.text("call_id"));
        assertThat(repeat.header("X-Idempotency-Status")).isEqualTo("HIT");
        assertThat(repeat.header("Idempotent-Replayed")).isEqualTo("true");
        return repeat.text("reason");
    }

    private List<JsonObject> calls(String site) {
        return ((JsonArray) server.get("/api/calls?site_id=" + site).member("calls"))
                .elements().stream().map(JsonObject.class::cast).toList();
    }
}
