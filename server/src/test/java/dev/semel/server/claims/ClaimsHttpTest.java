// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonNull;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims over HTTP, on the real server with SQLite. */
class ClaimsHttpTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void claimedOnceThenInProgressThenReplayed() {
        Reply first = claim("{'scope':'charge','key':'order-1'}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(first.text("status")).isEqualTo("claimed");
        assertThat(first.text("claim_id")).matches("[0-9a-f]{64}");
        assertThat(first.member("attempt")).isEqualTo(JsonNumber.of(1));
        assertThat(first.member("lease_seconds")).isEqualTo(JsonNumber.of(300));
        assertThat(first.header("X-Idempotency-Key")).isEqualTo("order-1");
        assertThat(first.header("X-Idempotency-Status")).isEqualTo("MISS");
        assertThat(first.header("Idempotent-Replayed")).isEmpty();

        Reply second = claim("{'scope':'charge','key':'order-1'}");
        assertThat(second.status()).isEqualTo(202);
        assertThat(second.text("status")).isEqualTo("in_progress");
        assertThat(second.header("X-Idempotency-Status")).isEqualTo("IN_PROGRESS");
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 5);

        Reply settled = settle(first, "succeed", "'result':{'receipt':4711,'password':'geheim'}");
        assertThat(settled.status()).isEqualTo(200);
        assertThat(settled.text("status")).isEqualTo("succeeded");
        assertThat(settle(first, "succeed", "'result':{'receipt':4711,'password':'geheim'}")
                        .status())
                .as("the same again")
                .isEqualTo(200);

        Reply replay = claim("{'scope':'charge','key':'order-1'}");
        assertThat(replay.status()).isEqualTo(200);
        assertThat(replay.header("X-Idempotency-Status")).isEqualTo("HIT");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.body())
                .isEqualTo("{\"status\":\"succeeded\",\"result\":{\"receipt\":4711,\"password\":\"geheim\"},"
                        + "\"result_form\":\"exact\",\"cached\":true}");
    }

    @Test
    void anotherFingerprintIsAMismatchEvenWhileRunning() {
        claim("{'scope':'charge','key':'fp','fingerprint':'a'}");

        Reply other = claim("{'scope':'charge','key':'fp','fingerprint':'b'}");

        assertThat(other.status()).isEqualTo(409);
        assertThat(other.problem()).isEqualTo("mismatch");
        assertThat(other.header("X-Idempotency-Status")).isEqualTo("CONFLICT");
    }

    @Test
    void aFailureIsFinalOrNot() {
        Reply first = claim("{'scope':'charge','key':'fails'}");
        assertThat(settle(first, "fail", "'retryable':true").text("status")).isEqualTo("retryable");
        Reply again = claim("{'scope':'charge','key':'fails'}");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.member("attempt")).isEqualTo(JsonNumber.of(2));
        assertThat(again.text("origin")).isEqualTo("retry");
        assertThat(settle(again, "fail", "'retryable':false,'result':{'code':'declined'}")
                        .text("status"))
                .isEqualTo("failed");
        Reply replay = claim("{'scope':'charge','key':'fails'}");
        assertThat(replay.status()).isEqualTo(200);
        assertThat(replay.text("status")).isEqualTo("failed");
        assertThat(((JsonObject) replay.member("result")).members()).containsEntry("code", new JsonString("declined"));
    }

    @Test
    void aLostClaimIsReported() {
        Reply first = claim("{'scope':'charge','key':'lost'}");
        settle(first, "fail", "'retryable':true");
        Reply second = claim("{'scope':'charge','key':'lost'}");

        for (String late : List.of("succeed", "fail", "renew", "park")) {
            String rest = late.equals("succeed")
                    ? "'result':1"
                    : late.equals("fail")
                            ? "'retryable':false"
                            : late.equals("park") ? "'reason':'r'" : "'lease_seconds':9";
            Reply reply = settle(first, late, rest);
            assertThat(reply.status()).as(late).isEqualTo(409);
            assertThat(reply.problem()).isEqualTo("ownership-lost");
        }
        assertThat(settle(second, "succeed", "'result':1").status()).isEqualTo(200);
    }

    @Test
    void aStepsSettlementThatIsSentAgainIsConfirmed() {
        Reply run = step("again");

        assertThat(settle(run, "succeed", "'result':{'message':'m-1'}").status())
                .isEqualTo(200);
        Reply repeat = settle(run, "succeed", "'result':{'message':'m-1'}");

        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.text("status")).isEqualTo("succeeded");
        for (String other : List.of("{'message':'m-2'}", "{'message':'m-1','n':1}", "{}", "null")) {
            Reply refused = settle(run, "succeed", "'result':" + other);
            assertThat(refused.status()).as(other).isEqualTo(409);
            assertThat(refused.problem()).isEqualTo("ownership-lost");
        }
        assertThat(((JsonObject) step("again").member("result")).members())
                .containsEntry("message", new JsonString("m-1"));
    }

    @Test
    void aStepsFailureThatIsSentAgainIsConfirmedUntilAnotherCallerOwnsTheStep() {
        Reply run = step("failing");
        String retryable = "'retryable':true,'result':{'code':'busy'}";
        String forGood = "'retryable':false,'result':{'code':'declined'}";

        assertThat(settle(run, "fail", retryable).status()).isEqualTo(200);
        assertThat(settle(run, "fail", retryable).status()).isEqualTo(200);
        Reply second = step("failing");
        assertThat(second.status()).isEqualTo(201);
        assertThat(settle(run, "fail", retryable).problem()).isEqualTo("ownership-lost");
        assertThat(settle(second, "fail", forGood).status()).isEqualTo(200);
        assertThat(settle(second, "fail", forGood).status()).isEqualTo(200);
        assertThat(settle(second, "fail", "'retryable':false").problem()).isEqualTo("ownership-lost");
    }

    @Test
    void aTokenWithoutAnActiveSecretStillSettles() {
        Reply run = step("unnamed");
        String changed = run.text("token").replaceFirst("_[0-9a-f]{16}_", "_0000000000000000_");
        assertThat(changed).isNotEqualTo(run.text("token"));
        String path = "/v1/claims/%s/succeed".formatted(run.text("claim_id"));

        assertThat(server.post(path, json("{'token':'%s','result':1}".formatted(changed)))
                        .status())
                .isEqualTo(200);
        assertThat(settle(run, "succeed", "'result':1").status()).isEqualTo(200);
        assertThat(step("unnamed").text("result_form")).isEqualTo("exact");
    }

    /** During a rolling upgrade, a claim is granted by the old version and settled at the new one. */
    @Test
    void aTokenOfTheVersionBeforeStillSettles() {
        Reply run = step("upgraded");
        String before = run.text("token").replaceFirst("_[0-9a-f]{16}_", "_");
        String path = "/v1/claims/%s/succeed".formatted(run.text("claim_id"));

        assertThat(server.post(path, json("{'token':'%s','result':1}".formatted(before)))
                        .status())
                .isEqualTo(200);
        assertThat(server.post(path, json("{'token':'%s','result':1}".formatted(before)))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aParkedClaimIsNotGranted() {
        Reply first = claim("{'scope':'charge','key':'parked'}");
        assertThat(settle(first, "park", "'reason':'the bank timed out'").text("status"))
                .isEqualTo("unknown");

        Reply next = claim("{'scope':'charge','key':'parked'}");

        assertThat(next.status()).isEqualTo(409);
        assertThat(next.problem()).isEqualTo("outcome-unknown");
        assertThat(next.text("detail")).contains("the bank timed out");
    }

    @Test
    void aRenewalCountsFromNow() {
        Reply first = claim("{'scope':'charge','key':'renewed','lease_seconds':30}");

        Reply renewed = settle(first, "renew", "'lease_seconds':120");

        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.member("lease_seconds")).isEqualTo(JsonNumber.of(120));
    }

    @Test
    void waitingEndsWithTheAnswer() {
        Reply first = claim("{'scope':'charge','key':'awaited'}");
        CompletableFuture<Reply> waiting =
                CompletableFuture.supplyAsync(() -> claim("{'scope':'charge','key':'awaited','wait_ms':15000}"));
        settle(first, "succeed", "'result':'done'");

        assertThat(waiting.join().status()).isEqualTo(200);
    }

    @Test
    void aForeignClaimAndAnUnknownOneLookTheSame() {
        Reply mine = claim("{'scope':'charge','key':'mine'}", "X-Organization-Id", "acme");
        String body = json("{'token':'%s','result':1}".formatted(mine.text("token")));
        String path = "/v1/claims/%s/succeed";

        Reply foreign = server.post(path.formatted(mine.text("claim_id")), body, "X-Organization-Id", "other");
        Reply unknown = server.post(path.formatted("0".repeat(64)), body, "X-Organization-Id", "acme");

        assertThat(foreign.status()).isEqualTo(409).isEqualTo(unknown.status());
        assertThat(foreign.body()).isEqualTo(unknown.body());
        assertThat(claim("{'scope':'charge','key':'mine'}", "X-Organization-Id", "other")
                        .status())
                .as("another tenant's key is another key")
                .isEqualTo(201);
        assertThat(settle(mine, "succeed", "'result':1", "X-Organization-Id", "acme")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void inputsMakeTheKeyWhateverTheirSpelling() {
        Reply first = claim("{'scope':'ai.copy','inputs':{'a':1,'b':[2.50]},'user_text':' hello \\u00a0 world '}");
        assertThat(first.status()).isEqualTo(201);
        assertThat(claim("{'scope':'ai.copy','inputs':{'b':[2.5],'a':1e0},'user_text':'hello world'}")
                        .status())
                .isEqualTo(202);
        assertThat(claim("{'scope':'ai.copy','inputs':{'b':[2.5],'a':1},'user_text':'hello worlds'}")
                        .status())
                .isEqualTo(201);

        assertThat(claim("{'scope':'ai.copy','inputs':{'b':[2.5],'a':1,'user_text':'hello  world'}}")
                        .status())
                .as("the same inside the inputs")
                .isEqualTo(202);

        settle(first, "succeed", "'result':{'ok':true,'secretPlan':'x','data':{'n':1}}");

        Reply replay = claim("{'scope':'ai.copy','inputs':{'a':1,'b':[2.5]},'user_text':'hello world'}");
        assertThat(((JsonObject) replay.member("result")).members()).containsOnlyKeys("ok", "data");
        assertThat(replay.header("X-Idempotency-Key")).doesNotContain("hello").isNotEmpty();
    }

    @Test
    void aResultThatMustNotBeStoredIsReplayedAsNull() {
        Reply first = claim("{'scope':'ai.copy','inputs':'just text'}");
        settle(first, "succeed", "'result':'raw text'");

        Reply replay = claim("{'scope':'ai.copy','inputs':'just text'}");

        assertThat(replay.member("result")).isEqualTo(JsonNull.NULL);
        assertThat(replay.text("result_form")).isEqualTo("none");
        assertThat(replay.text("result_note")).isNotEmpty();
    }

    @Test
    void aBatchIsAnsweredInOrder() {
        String claims = IntStream.range(0, 1_000)
                .mapToObj(i -> "{'scope':'batch','key':'k%d'}".formatted(i == 999 ? 0 : i))
                .collect(Collectors.joining(","));

        Reply reply = server.post("/v1/claims/batch", json("{'claims':[%s]}".formatted(claims)));

        assertThat(reply.status()).isEqualTo(200);
        List<String> words = ((JsonArray) reply.member("verdicts"))
                .elements().stream()
                        .map(verdict ->
                                ((JsonString) ((JsonObject) verdict).members().get("status")).value())
                        .toList();
        assertThat(words).hasSize(1_000);
        assertThat(words.subList(0, 999)).containsOnly("claimed");
        assertThat(words.get(999)).isEqualTo("in_progress");
    }

    private static JsonObject verdict(Reply batch, int at) {
        return (JsonObject) ((JsonArray) batch.member("verdicts")).elements().get(at);
    }

    private static Reply batch(IntFunction<String> key, int count) {
        String claims = IntStream.range(0, count)
                .mapToObj(i -> "{'scope':'large','key':'%s'}".formatted(key.apply(i)))
                .collect(Collectors.joining(","));
        return server.post("/v1/claims/batch", json("{'claims':[%s]}".formatted(claims)));
    }

    private static void succeededWith(String key, int bytes) {
        Reply first = claim("{'scope':'large','key':'%s'}".formatted(key));
        assertThat(settle(first, "succeed", "'result':{'text':'%s'}".formatted("x".repeat(bytes)))
                        .status())
                .isEqualTo(200);
    }

    /** Both responses have about 4 MiB, although the results have 15 and 60 MiB. */
    @Test
    void aBatchOmitsResultsBeyondItsBound() {
        IntStream.range(0, 15).forEach(i -> succeededWith("distinct-" + i, 1_000_000));
        succeededWith("same", 1_000_000);
        succeededWith("small", 10);

        Reply distinct = batch(i -> i == 15 ? "small" : i == 16 ? "fresh" : "distinct-" + i, 17);
        Reply same = batch(i -> "same", 60);

        for (Reply reply : List.of(distinct, same)) {
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.member("more")).isEqualTo(new JsonBoolean(true));
            assertThat(reply.body().length()).isBetween(4_000_000, 4_300_000);
            for (int i = 0; i < 15; i++) {
                JsonObject verdict = verdict(reply, i);
                assertThat(verdict.members().get("status")).isEqualTo(new JsonString("succeeded"));
                if (i < 4) {
                    assertThat(verdict.members().get("result_form")).isEqualTo(new JsonString("exact"));
                } else {
                    assertThat(new String(verdict.utf8(), StandardCharsets.UTF_8))
                            .isEqualTo(
                                    json(
                                            "{'status':'succeeded','result':null,'result_form':'omitted',"
                                                    + "'result_note':'claim this key in a single request to receive the result','cached':true}"));
                }
            }
        }
        assertThat(verdict(distinct, 15).members().get("result_form")).isEqualTo(new JsonString("exact"));
        assertThat(verdict(distinct, 16).members().get("status")).isEqualTo(new JsonString("claimed"));
        assertThat(claim("{'scope':'large','key':'distinct-14'}").text("result_form"))
                .isEqualTo("exact");
        assertThat(batch(i -> "small", 2).member("more")).isEqualTo(new JsonBoolean(false));
    }

    private static Reply claim(String body, String... headers) {
        return server.post("/v1/claims", json(body), headers);
    }

    private static Reply step(String run) {
        return server.post(
                "/v1/steps", json("{'workflow_run_id':'%s','step_key':'send','input':{'a':1}}".formatted(run)));
    }

    private static Reply settle(Reply claim, String how, String rest, String... headers) {
        return server.post(
                "/v1/claims/%s/%s".formatted(claim.text("claim_id"), how),
                json("{'token':'%s',%s}".formatted(claim.text("token"), rest)),
                headers);
    }

    /** Replaces single quotes, which make JSON easier to read here. */
    private static String json(String text) {
        return text.replace('\'', '"');
    }
}
