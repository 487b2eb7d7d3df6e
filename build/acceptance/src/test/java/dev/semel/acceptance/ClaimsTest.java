// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims: one caller is granted a claim, and all others receive its state. */
@BlackBox
@ParameterizedClass
@EnumSource(Environment.class)
class ClaimsTest {
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
    void goesFromClaimedOverInProgressToSucceeded() {
        JsonObject body = Claims.fresh();
        JsonObject result = new JsonObject()
                .put("order", 7)
                .put("lines", new JsonArray().add(1).addNull());

        Answer first = Claims.claim(caller, body);
        Answer meanwhile = Claims.claim(caller, body);
        Answer settled = Claims.succeed(caller, first.json(), result);
        Answer repeat = Claims.claim(caller, body);

        assertThat(first.status()).isEqualTo(201);
        Idempotent.isMiss(first);
        assertThat(first.get("status")).isEqualTo("claimed");
        assertThat(first.get("claim_id")).isNotEmpty();
        assertThat(first.get("token")).isNotEmpty();
        assertThat(first.json().getInteger("attempt")).isEqualTo(1);
        assertThat(first.json().getInteger("lease_seconds")).isEqualTo(300);
        assertThat(meanwhile.status()).isEqualTo(202);
        Idempotent.isInProgress(meanwhile);
        assertThat(meanwhile.get("status")).isEqualTo("in_progress");
        assertThat(meanwhile.json().getLong("retry_after_ms")).isPositive();
        assertThat(meanwhile.text()).doesNotContain(first.get("token"));
        assertThat(settled.status()).as("%s", settled).isEqualTo(200);
        assertThat(repeat.status()).isEqualTo(200);
        Idempotent.isHit(repeat);
        assertThat(repeat.get("status")).isEqualTo("succeeded");
        assertThat(repeat.json().getBoolean("cached")).isTrue();
        assertThat(repeat.json().getJsonObject("result")).isEqualTo(result);
    }

    @Test
    void givesAFailedOneToTheNext() {
        JsonObject body = Claims.fresh();
        JsonObject first = Claims.granted(caller, body);
        assertThat(Claims.fail(caller, first, true).status()).isEqualTo(200);

        JsonObject second = Claims.granted(caller, body);

        assertThat(second.getInteger("attempt")).isEqualTo(2);
        assertThat(second.getString("token")).isNotEqualTo(first.getString("token"));
        ownershipLost(Claims.succeed(caller, first, "late"));
        assertThat(Claims.succeed(caller, second, "done").status()).isEqualTo(200);
        assertThat(Claims.claim(caller, body).get("result")).isEqualTo("done");
    }

    @Test
    void keepsAFailureForGood() {
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(caller, body);
        JsonObject more =
                new JsonObject().put("retryable", false).put("result", new JsonObject().put("code", "declined"));
        assertThat(Claims.settle(caller, claim, "fail", more).status()).isEqualTo(200);

        Answer repeat = Claims.claim(caller, body);

        assertThat(repeat.status()).isEqualTo(200);
        Idempotent.isHit(repeat);
        assertThat(repeat.get("status")).isEqualTo("failed");
        assertThat(repeat.json().getJsonObject("result")).isEqualTo(new JsonObject().put("code", "declined"));
    }

    @Test
    void renewsALease() {
        JsonObject claim = Claims.granted(caller, Claims.fresh().put("lease_seconds", 60));
        assertThat(claim.getInteger("lease_seconds")).isEqualTo(60);
        assertThat(Claims.settle(caller, claim, "renew", new JsonObject()).status())
                .isEqualTo(200);
        assertThat(Claims.settle(caller, claim, "renew", new JsonObject().put("lease_seconds", 120))
                        .status())
                .isEqualTo(200);
        ownershipLost(Claims.settle(caller, forged(claim), "renew", new JsonObject()));
    }

    @Test
    void parksAnUnknownOutcome() {
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(caller, body);
        assertThat(Claims.settle(caller, claim, "park", new JsonObject().put("reason", "timed out at the bank"))
                        .status())
                .isEqualTo(200);
        Answer next = Claims.claim(caller, body);
        assertThat(next.status()).as("a parked claim is not granted").isNotEqualTo(201);
        assertThat(next.text()).doesNotContain("\"token\"");
    }

    @Test
    void settlesForTheOwnerOnly() {
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(caller, body);
        JsonObject forged = forged(claim);
        ownershipLost(Claims.succeed(caller, forged, "stolen"));
        ownershipLost(Claims.fail(caller, forged, true));
        ownershipLost(Claims.settle(caller, forged, "park", new JsonObject().put("reason", "stolen")));
        assertThat(Claims.claim(caller, body).status()).isEqualTo(202);
        assertThat(Claims.succeed(caller, claim, "mine").status()).isEqualTo(200);
        ownershipLost(Claims.fail(caller, claim, true));
        assertThat(Claims.claim(caller, body).get("result")).isEqualTo("mine");
    }

    @Test
    void refusesAnotherFingerprint() {
        JsonObject body = Claims.fresh().put("fingerprint", Marks.text("one"));
        JsonObject other = body.copy().put("fingerprint", Marks.text("other"));
        JsonObject claim = Claims.granted(caller, body);

        Answer whileRunning = Claims.claim(caller, other);
        Claims.succeed(caller, claim, 1);
        Answer afterwards = Claims.claim(caller, other);

        for (Answer conflict : List.of(whileRunning, afterwards)) {
            Problem.isProblem(conflict, 409);
            Idempotent.isConflict(conflict);
            assertThat(conflict.text()).doesNotContain("result");
        }
        assertThat(Claims.claim(caller, body).get("status")).isEqualTo("succeeded");
    }

    @Test
    void derivesTheKeyFromInputs() {
        String marker = Marks.text("input");
        String body = "{\"scope\":\"copy\",\"inputs\":%s}";
        Answer first = caller.postText(Claims.CLAIMS, body.formatted("{\"a\":1,\"b\":[1,2],\"m\":\"" + marker + "\"}"));
        assertThat(first.status()).as("%s", first).isEqualTo(201);
        assertThat(first.header("X-Idempotency-Key")).doesNotContain(marker);
        assertThat(caller.postText(Claims.CLAIMS, body.formatted("{\"b\":[1.0,2],\"m\":\"" + marker + "\", \"a\":1}"))
                        .status())
                .isEqualTo(202);
        assertThat(caller.postText(Claims.CLAIMS, body.formatted("{\"b\":[2,1],\"m\":\"" + marker + "\", \"a\":1}"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void normalizesUserTextAsTheSeedDoes() {
        String word = Marks.text("word");
        JsonObject body =
                new JsonObject().put("scope", "copy").put("inputs", new JsonObject().put("id", Marks.unique()));
        assertThat(Claims.claim(caller, body.copy().put("user_text", "make " + word + " shine"))
                        .status())
                .isEqualTo(201);
        for (String same : List.of(
                "  make " + word + "\n\tshine ",
                "\u00a0make\u3000" + word + "\ufeff\u2028shine",
                "make  " + word + "  shine")) {
            assertThat(Claims.claim(caller, body.copy().put("user_text", same)).status())
                    .isEqualTo(202);
        }
        assertThat(Claims.claim(caller, body.copy().put("user_text", "make " + word + " Shine"))
                        .status())
                .isEqualTo(201);
        assertThat(Claims.claim(caller, body).status()).isEqualTo(201);
    }

    @Test
    void replaysOnlyWhatMayBeStoredForInputs() {
        JsonObject body =
                new JsonObject().put("scope", "copy").put("inputs", new JsonObject().put("id", Marks.unique()));
        JsonObject claim = Claims.granted(caller, body);
        String prompt = Marks.text("prompt");
        JsonObject result = new JsonObject()
                .put("ok", true)
                .put("traceId", "trace-1")
                .put("prompt", prompt)
                .put("stack", prompt)
                .put("_internal", new JsonObject().put("a", prompt));
        assertThat(Claims.succeed(caller, claim, result).status()).isEqualTo(200);

        Answer repeat = Claims.claim(caller, body);

        assertThat(repeat.get("status")).isEqualTo("succeeded");
        assertThat(repeat.json().getJsonObject("result").getBoolean("ok")).isTrue();
        assertThat(repeat.json().getJsonObject("result").getString("traceId")).isEqualTo("trace-1");
        assertThat(repeat.text()).doesNotContain(prompt);
        assertThat(repeat.get("result_form")).isEqualTo("sanitised");
        assertThat(repeat.get("result_note")).contains("removed");
    }

    /** In every environment, because in some of them the replay comes from a cache. */
    @Test
    void storesAResultAsTheClaimSays() {
        JsonObject result = new JsonObject().put("ok", true).put("password", Marks.text("password"));
        for (String store : List.of("sealed", "sanitised", "none")) {
            for (JsonObject body : List.of(
                    Claims.fresh().put("store", store),
                    new JsonObject()
                            .put("scope", "copy")
                            .put("inputs", Marks.text("in"))
                            .put("store", store))) {
                assertThat(Claims.succeed(caller, Claims.granted(caller, body), result)
                                .status())
                        .isEqualTo(200);
                for (int i = 0; i < 2; i++) {
                    Answer repeat = Claims.claim(caller, body);
                    JsonObject replayed = repeat.json().getJsonObject("result");
                    switch (store) {
                        case "sealed" -> assertThat(replayed).isEqualTo(result);
                        case "none" -> assertThat(replayed).isNull();
                        default -> assertThat(replayed.getBoolean("ok")).isTrue();
                    }
                    assertThat(repeat.get("result_form")).isEqualTo(store.equals("sealed") ? "exact" : store);
                    assertThat(repeat.json().containsKey("result_note")).isEqualTo(!store.equals("sealed"));
                }
            }
        }
        JsonObject whole = Claims.fresh().put("store", "sanitised");
        Claims.succeed(caller, Claims.granted(caller, whole), new JsonObject().put("ok", true));
        assertThat(Claims.claim(caller, whole).json().containsKey("result_note"))
                .isFalse();
        Problem.isProblem(Claims.claim(caller, Claims.fresh().put("store", "open")), 400, "store");
    }

    @Test
    void meetsAClaimByAnyOfItsKeys() {
        String event = Marks.text("ev");
        String transaction = Marks.text("tx");
        JsonObject both = Claims.on("payments.confirm", event).put("also_known_as", new JsonArray().add(transaction));
        JsonObject alias = Claims.on("payments.confirm", transaction);
        JsonObject claim = Claims.granted(caller, both);
        assertThat(Claims.claim(caller, alias).status()).isEqualTo(202);
        Claims.succeed(caller, claim, "done");

        for (int i = 0; i < 2; i++) {
            for (JsonObject any : List.of(both, alias, Claims.on("payments.confirm", event))) {
                assertThat(Claims.claim(caller, any).get("result")).isEqualTo("done");
            }
        }
        assertThat(Claims.verdicts(Claims.batch(caller, List.of(alias, Claims.fresh(), both))))
                .extracting(verdict -> verdict.getString("result"))
                .containsExactly("done", null, "done");
        JsonObject again =
                Claims.fresh().put("also_known_as", new JsonArray().add(event).add(event));
        Problem.isProblem(Claims.claim(caller, again), 400, "also_known_as");
    }

    @Test
    void keepsTenantsScopesAndKeysApart() {
        String key = Marks.text("key");
        Claims.granted(caller, Claims.on("a", key));
        Claims.granted(caller, Claims.on("b", key));
        Claims.granted(caller, Claims.on("A", key));
        Claims.granted(caller, Claims.on("a", key.toUpperCase(Locale.ROOT)));
        Claims.granted(caller, Claims.on("a", key + " "));
        Claims.granted(caller, Claims.on("a", key + "é"));
        Claims.granted(server.caller(), Claims.on("a", key));
    }

    @Test
    void hidesTheClaimsOfOthers() {
        Caller other = server.caller();
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(caller, body);
        JsonObject unknown = claim.copy()
                .put("claim_id", Claims.granted(other, Claims.fresh()).getString("claim_id"));
        // Another tenant receives the same response for an existing claim and for an absent one.
        Answer foreign = Claims.succeed(other, claim, "stolen");
        assertThat(foreign.status()).as("%s", foreign).isIn(404, 409);
        Answer forged =
                Claims.succeed(other, unknown.copy().put("claim_id", altered(claim.getString("claim_id"))), "x");
        if (forged.status() == foreign.status()) {
            assertThat(forged.json().getString("type")).isEqualTo(foreign.json().getString("type"));
            assertThat(forged.json().getString("detail"))
                    .isEqualTo(foreign.json().getString("detail"));
        }
        assertThat(Claims.claim(caller, body).status()).isEqualTo(202);
    }

    @Test
    void givesAClaimToOneOfACrowd() {
        JsonObject body = Claims.fresh();
        List<Answer> answers = Crowd.of(16, i -> Claims.claim(caller, body));
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 202).hasSize(15);
    }

    @Test
    void asksForExactlyOneKey() {
        Problem.isProblem(Claims.claim(caller, new JsonObject().put("scope", "a")), 400, "key");
        Problem.isProblem(Claims.claim(caller, Claims.fresh().put("inputs", 1)), 400, "inputs");
        Problem.isProblem(Claims.claim(caller, new JsonObject().put("key", "a")), 400, "scope");
        Problem.isProblem(Claims.claim(caller, Claims.on("", "a")), 400, "scope");
        Problem.isProblem(Claims.claim(caller, Claims.on("a", "k".repeat(1_025))), 400, "key");
        assertThat(Claims.claim(caller, Claims.on("a", "k".repeat(1_024))).status())
                .isEqualTo(201);
        for (String member : List.of("lease_seconds", "ttl_seconds")) {
            for (Object bad : List.of(0, -1, 1.5, "60", 1e18, true)) {
                Problem.isProblem(Claims.claim(caller, Claims.fresh().put(member, bad)), 400, member);
            }
        }
        Problem.isProblem(Claims.claim(caller, Claims.fresh().put("wait_ms", -1)), 400, "wait_ms");
        Problem.isProblem(Claims.claim(caller, Claims.fresh().put("on_stale", "maybe")), 400, "on_stale");
        Problem.isProblem(Claims.claim(caller, Claims.fresh().put("lease_second", 5)), 400, "lease_second");
    }

    @Test
    void requiresTheFieldsOfASettlement() {
        JsonObject claim = Claims.granted(caller, Claims.fresh());
        String path = Claims.CLAIMS + "/" + claim.getString("claim_id");
        Problem.isProblem(caller.post(path + "/succeed", new JsonObject().put("result", 1)), 400, "token");
        Problem.isProblem(
                caller.post(path + "/fail", new JsonObject().put("token", claim.getString("token"))), 400, "retryable");
        Problem.isProblem(caller.post(path + "/explode", new JsonObject()), 404);
        Answer malformed = Claims.succeed(caller, claim.copy().put("claim_id", "nonsense"), 1);
        assertThat(malformed.status()).as("%s", malformed).isIn(400, 404);
    }

    private static void ownershipLost(Answer answer) {
        Problem.isProblem(answer, 409);
        assertThat(answer.get("type")).contains("ownership-lost");
    }

    /** The same claim with a well-formed token that was never issued. */
    private static JsonObject forged(JsonObject claim) {
        return claim.copy().put("token", altered(claim.getString("token")));
    }

    private static String altered(String text) {
        char first = text.charAt(0);
        return (first == '0' ? '1' : '0') + text.substring(1);
    }
}
