// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.testservers.PostgresServer;
import dev.semel.testservers.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** {@code IDEMPOTENCY_PREVIOUS_SECRETS}: claims of a previous secret are found until the secret is removed. */
@BlackBox
@Order(1)
class SecretRotationTest {
    private static final String STEPS = "/v1/steps";
    private static final JsonObject RESULT = new JsonObject().put("ok", true);

    private final String old = Marks.text("the-old-secret-of-more-than-32-bytes");
    private final String fresh = Marks.text("the-new-secret-of-more-than-32-bytes");
    private final String tenant = Marks.name("tenant");

    private final List<Ask> settled = List.of(claim(), inputs(), step(), payment());
    private final List<Ask> running = List.of(claim(), inputs(), step(), payment());
    private final List<Ask> meanwhile = List.of(claim(), inputs(), step(), payment());
    private final Ask forgotten = claim();

    @Test
    void findsClaimsOfThePreviousSecretUntilItIsRemoved() {
        Configuration configuration = Configuration.development();
        Launch launch = Environment.launch(configuration, null, null);
        String event = Ledger.entry(Marks.text("key"), Ledger.event(tenant)).encode();
        List<JsonObject> claims;
        List<JsonObject> done;
        try (RunningServer server = RunningServer.start(with(launch, old, ""), configuration, null)) {
            Caller caller = server.named(tenant);
            done = settled.stream().map(ask -> granted(caller, ask)).toList();
            done.forEach(claim -> settle(caller, claim));
            settle(caller, granted(caller, forgotten));
            claims = running.stream().map(ask -> granted(caller, ask)).toList();
            assertThat(caller.postText(Ledger.INGEST, event).status()).isEqualTo(201);
        }
        try (RunningServer server = RunningServer.start(with(launch, fresh, old), configuration, null)) {
            Caller caller = server.named(tenant);
            // Their workers received no response before the server was stopped, and send the same request again.
            done.forEach(claim -> settle(caller, claim));
            settled.forEach(ask -> isReplayed(caller.send(ask)));
            running.forEach(ask -> assertThat(caller.send(ask).status()).isEqualTo(202));
            claims.forEach(claim -> settle(caller, claim));
            running.forEach(ask -> isReplayed(caller.send(ask)));
            meanwhile.forEach(ask -> settle(caller, granted(caller, ask)));
            assertThat(caller.postText(Ledger.INGEST, event).status()).isEqualTo(200);
        }
        try (RunningServer server = RunningServer.start(with(launch, fresh, ""), configuration, null)) {
            Caller caller = server.named(tenant);
            meanwhile.forEach(ask -> isReplayed(caller.send(ask)));
            // An encrypted result is bound to its claim with the secret that granted it, regardless of when it was
            // settled.
            for (Ask ask : Stream.concat(settled.stream(), running.stream()).toList()) {
                Answer answer = caller.send(ask);
                assertThat(answer.status()).as("%s", answer).isEqualTo(200);
                assertThat(answer.get("result_form"))
                        .as("an encrypted result cannot be decrypted without the old secret")
                        .isEqualTo(isSealed(ask) ? "none" : "sanitised");
            }
            assertThat(caller.send(forgotten).status())
                    .as("it was not requested while both secrets were active")
                    .isEqualTo(201);
            assertThat(caller.postText(Ledger.INGEST, event).status()).isEqualTo(200);
        }
    }

    @Test
    void instancesOnEitherSideOfAStepWorkTogether() {
        Configuration configuration = Configuration.development();
        Database database = Database.on(PostgresServer.shared());
        Launch launch = Environment.launch(configuration, database, RedisServer.shared());
        Launch elsewhere = launch.withData(Scratch.folder("data"));
        try (RunningServer added = RunningServer.start(with(launch, old, fresh), configuration, database);
                RunningServer before = RunningServer.start(with(elsewhere, old, ""), configuration, database)) {
            worksTogether(before.named(tenant), added.named(tenant), settled);
        }
        try (RunningServer added = RunningServer.start(with(launch, old, fresh), configuration, database);
                RunningServer promoted = RunningServer.start(with(elsewhere, fresh, old), configuration, database)) {
            worksTogether(added.named(tenant), promoted.named(tenant), running);
        }
        try (RunningServer promoted = RunningServer.start(with(launch, fresh, old), configuration, database);
                RunningServer retired = RunningServer.start(with(elsewhere, fresh, ""), configuration, database)) {
            worksTogether(promoted.named(tenant), retired.named(tenant), meanwhile);
            settled.forEach(ask -> isReplayed(promoted.named(tenant).send(ask)));
        }
    }

    /** Each instance finds, settles and replays the claims of the other one. */
    private void worksTogether(Caller one, Caller other, List<Ask> asks) {
        for (int i = 0; i < asks.size(); i++) {
            Ask ask = asks.get(i);
            Caller first = i % 2 == 0 ? one : other;
            Caller second = i % 2 == 0 ? other : one;
            JsonObject claim = granted(first, ask);
            assertThat(second.send(ask).status()).isEqualTo(202);
            settle(second, claim);
            settle(first, claim);
            settle(second, claim);
            isReplayed(first.send(ask));
            isReplayed(second.send(ask));
        }
        JsonArray batch = new JsonArray();
        for (int i = 0; i < 3; i++) {
            batch.add(Claims.fresh());
        }
        JsonObject body = new JsonObject().put("claims", batch);
        assertThat(words(one.post(Claims.BATCH, body))).containsOnly("claimed");
        assertThat(words(other.post(Claims.BATCH, body))).containsOnly("in_progress");
    }

    private static List<String> words(Answer answer) {
        return answer.json().getJsonArray("verdicts").stream()
                .map(verdict -> ((JsonObject) verdict).getString("status"))
                .toList();
    }

    @Test
    void knowsClaimsOfThePreviousSecretWhenTheLimitOfNewKeysIsReached() {
        Configuration strict = Configuration.with("limits: {new_keys_per_second: 1, new_keys_at_once: 9}\n");
        Launch launch = Environment.launch(strict, null, null);
        try (RunningServer server = RunningServer.start(with(launch, old, ""), strict, null)) {
            Caller caller = server.named(tenant);
            settled.forEach(ask -> settle(caller, granted(caller, ask)));
        }
        try (RunningServer server = RunningServer.start(with(launch, fresh, old), strict, null)) {
            Caller caller = server.named(tenant);
            for (Ask ask : settled) {
                while (caller.send(claim()).status() != 429) {
                    // Until the allowance is used up.
                }
                isReplayed(caller.send(ask));
            }
        }
    }

    @Test
    void refusesSecretsThatCannotBe() {
        Launch launch = Launch.in(Scratch.folder("data")).withVariable("IDEMPOTENCY_SECRET", fresh);
        for (String wrong : List.of(old + ",short", fresh, old + "," + old)) {
            SemelProcess.Ended ended = SemelProcess.refused(launch.withVariable("IDEMPOTENCY_PREVIOUS_SECRETS", wrong));
            assertThat(ended.exitCode()).isNotZero();
            assertThat(ended.output()).contains("IDEMPOTENCY_PREVIOUS_SECRETS[");
        }
    }

    private static Launch with(Launch launch, String current, String previous) {
        return launch.withVariable("IDEMPOTENCY_SECRET", current)
                .withVariable("IDEMPOTENCY_PREVIOUS_SECRETS", previous);
    }

    private static JsonObject granted(Caller caller, Ask ask) {
        Answer answer = caller.send(ask);
        assertThat(answer.status()).as("%s", answer).isEqualTo(201);
        return answer.json();
    }

    private static void settle(Caller caller, JsonObject claim) {
        Answer answer = Claims.succeed(caller, claim, RESULT);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    }

    private static void isReplayed(Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        Idempotent.isHit(answer);
        assertThat(answer.json().getJsonObject("result")).as("%s", answer).isEqualTo(RESULT);
    }

    /** Results of claims by inputs and of payments are stored in clear text. */
    private static boolean isSealed(Ask ask) {
        String body = new String(ask.body(), StandardCharsets.UTF_8);
        return ask.path().equals(STEPS) || body.contains("\"key\"");
    }

    private static Ask claim() {
        return Ask.post(Claims.CLAIMS, Claims.fresh());
    }

    private static Ask inputs() {
        return Ask.post(Claims.CLAIMS, new JsonObject().put("scope", "s").put("inputs", Marks.text("in")));
    }

    private static Ask step() {
        return Ask.post(
                STEPS,
                new JsonObject()
                        .put("workflow_run_id", Marks.name("run"))
                        .put("step_key", "send")
                        .put("input", Marks.text("in")));
    }

    private static Ask payment() {
        return Ask.post(
                "/v1/payments/confirmations",
                new JsonObject().put("provider", "momo").put("provider_tx_id", Marks.text("tx")));
    }
}
