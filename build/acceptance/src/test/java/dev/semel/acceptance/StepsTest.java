// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code POST /v1/steps}. */
@BlackBox
@ParameterizedClass
@EnumSource(Environment.class)
class StepsTest {
    private static final String STEPS = "/v1/steps";

    @Parameter
    Environment environment;

    private Caller caller;

    @BeforeEach
    void someTenant() {
        caller = environment.shared().caller();
    }

    @Test
    void runsOnceAndReusesTheResult() {
        JsonObject step = step(new JsonObject().put("to", Marks.text("to")));
        JsonObject result = new JsonObject().put("message_id", "m-1").put("n", 1);

        Answer first = run(step);
        Answer meanwhile = run(step);
        Claims.succeed(caller, first.json(), result);
        Answer repeat = run(step);

        assertThat(first.status()).as("%s", first).isEqualTo(201);
        Idempotent.isMiss(first);
        assertThat(first.get("status")).isEqualTo("RUN");
        assertThat(first.json().fieldNames()).contains("claim_id", "token", "attempt", "lease_seconds");
        assertThat(meanwhile.status()).isEqualTo(202);
        Idempotent.isInProgress(meanwhile);
        assertThat(meanwhile.get("status")).isEqualTo("LOCKED");
        assertThat(meanwhile.json().getLong("retry_after_ms")).isPositive();
        assertThat(repeat.status()).isEqualTo(200);
        Idempotent.isHit(repeat);
        assertThat(repeat.get("status")).isEqualTo("DONE");
        assertThat(repeat.json().getJsonObject("result")).isEqualTo(result);
    }

    @Test
    void confirmsASettlementThatIsSentAgain() {
        JsonObject step = step(Marks.text("input"));
        JsonObject claim = run(step).json();
        JsonObject result = new JsonObject().put("message_id", "m-1").put("phone", "+821012345678");

        for (int i = 0; i < 3; i++) {
            Answer settled = Claims.succeed(caller, claim, result);
            assertThat(settled.status()).as("%s", settled).isEqualTo(200);
        }
        isLost(Claims.succeed(caller, claim, result.copy().put("message_id", "m-2")));
        isLost(Claims.fail(caller, claim, false));
        assertThat(run(step).json().getJsonObject("result")).isEqualTo(result);
    }

    @Test
    void confirmsAFailureThatIsSentAgainUntilTheStepHasANewOwner() {
        JsonObject step = step(Marks.text("input"));
        JsonObject first = run(step).json();
        JsonObject busy = new JsonObject().put("retryable", true).put("result", new JsonObject().put("code", "busy"));
        JsonObject declined =
                new JsonObject().put("retryable", false).put("result", new JsonObject().put("code", "declined"));

        assertThat(Claims.settle(caller, first, "fail", busy).status()).isEqualTo(200);
        assertThat(Claims.settle(caller, first, "fail", busy).status()).isEqualTo(200);
        JsonObject second = run(step).json();
        isLost(Claims.settle(caller, first, "fail", busy));
        assertThat(Claims.settle(caller, second, "fail", declined).status()).isEqualTo(200);
        assertThat(Claims.settle(caller, second, "fail", declined).status()).isEqualTo(200);
    }

    /** A worker that lost its connection does not know whether its settlement arrived. */
    @Test
    void confirmsASettlementWhoseAnswerWasLost() throws IOException {
        JsonObject step = step(Marks.text("input"));
        JsonObject claim = run(step).json();
        JsonObject result = new JsonObject().put("message_id", "m-1");
        Ask succeed = Ask.post(
                "%s/%s/succeed".formatted(Claims.CLAIMS, claim.getString("claim_id")),
                new JsonObject().put("token", claim.getString("token")).put("result", result));

        try (Socket socket = caller.unanswered(succeed)) {
            await().until(() -> run(step).status() == 200);
        }

        assertThat(caller.send(succeed).status()).isEqualTo(200);
    }

    private static void isLost(Answer answer) {
        Problem.isProblem(answer, 409);
        assertThat(answer.get("type")).endsWith("/ownership-lost");
    }

    @Test
    void doesNotSeeVolatileMembers() {
        String id = Marks.text("id");
        assertThat(run(step(volatileInput(id, 1))).status()).isEqualTo(201);
        assertThat(run(step(volatileInput(id, 2))).status()).isEqualTo(202);
        assertThat(run(step(new JsonObject()
                                .put("id", id)
                                .put("list", new JsonArray().add(new JsonObject().put("a", 1)))))
                        .status())
                .isEqualTo(202);
        assertThat(run(step(volatileInput(id, 1).put("times", 1))).status()).isEqualTo(201);
    }

    private static JsonObject volatileInput(String id, int time) {
        JsonObject input = new JsonObject().put("id", id);
        for (String name : List.of("timestamp", "ts", "created_at", "updated_at", "sent_at", "received_at")) {
            input.put(name, time);
        }
        for (String name : List.of("createdAt", "updatedAt", "sentAt", "receivedAt")) {
            input.put(name, "at " + time);
        }
        return input.put(
                "list", new JsonArray().add(new JsonObject().put("a", 1).put("ts", time)));
    }

    @Test
    void keepsRunsStepsInputsAndTenantsApart() {
        JsonObject step = step(Marks.text("input"));
        assertThat(run(step).status()).isEqualTo(201);
        assertThat(run(step.copy().put("workflow_run_id", Marks.name("run"))).status())
                .isEqualTo(201);
        assertThat(run(step.copy().put("step_key", "other")).status()).isEqualTo(201);
        assertThat(run(step.copy().put("input", Marks.text("input"))).status()).isEqualTo(201);
        caller = environment.shared().caller();
        assertThat(run(step).status()).isEqualTo(201);
    }

    @Test
    void doesNotConfuseWhereOnePartEnds() {
        JsonObject step = step("x");
        assertThat(run(step.copy().put("workflow_run_id", "a:b").put("step_key", "c"))
                        .status())
                .isEqualTo(201);
        assertThat(run(step.copy().put("workflow_run_id", "a").put("step_key", "b:c"))
                        .status())
                .isEqualTo(201);
        assertThat(run(step.copy().put("workflow_run_id", "a%3Ab").put("step_key", "c"))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void runsAgainAfterAFailure() {
        JsonObject step = step(Marks.text("input"));
        Claims.fail(caller, run(step).json(), true);
        Answer again = run(step);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.json().getInteger("attempt")).isEqualTo(2);
    }

    @Test
    void runsOnceForACrowd() {
        JsonObject step = step(Marks.text("input"));
        List<Answer> answers = Crowd.of(16, i -> run(step));
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 202).hasSize(15);
    }

    @Test
    void asksForItsParts() {
        for (String member : List.of("workflow_run_id", "step_key", "input")) {
            JsonObject step = step(1);
            step.remove(member);
            Problem.isProblem(run(step), 400, member);
        }
        Problem.isProblem(run(step(1).put("workflow_run_id", "")), 400, "workflow_run_id");
        Problem.isProblem(run(step(1).put("step_key", 7)), 400, "step_key");
    }

    private static JsonObject step(Object input) {
        return new JsonObject()
                .put("workflow_run_id", "run-1")
                .put("step_key", "send-mail")
                .put("input", input);
    }

    private Answer run(JsonObject step) {
        return caller.post(STEPS, step);
    }
}
