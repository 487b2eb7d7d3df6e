// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two instances over one database behave like one server. */
@BlackBox
@ParameterizedClass
@EnumSource(
        value = Environment.class,
        names = {"POSTGRES", "MARIADB_REDIS_PRODUCTION", "DYNAMODB"})
class TwoInstancesTest {
    private static final int ROUNDS = 5;

    @Parameter
    Environment environment;

    private RunningServer first;
    private RunningServer second;
    private Caller here;
    private Caller there;

    @BeforeEach
    void twoInstances() {
        first = environment.shared();
        second = environment.sharedSecond();
        here = first.caller();
        there = second.here(here);
    }

    @Test
    void grantAClaimOnce() {
        for (int round = 0; round < ROUNDS; round++) {
            JsonObject body = Claims.fresh();
            List<Answer> answers = both(caller -> Claims.claim(caller, body));
            assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
            assertThat(answers).filteredOn(answer -> answer.status() == 202).hasSize(15);
        }
    }

    @Test
    void settleEachOthersClaims() {
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(here, body);
        assertThat(Claims.claim(there, body).status()).isEqualTo(202);
        assertThat(Claims.settle(there, claim, "renew", new JsonObject()).status())
                .isEqualTo(200);
        assertThat(Claims.succeed(there, claim, "done").status()).isEqualTo(200);
        assertThat(Claims.claim(here, body).get("result")).isEqualTo("done");
        assertThat(Claims.claim(there, body).get("result")).isEqualTo("done");
    }

    @Test
    void confirmAStepsSettlementWhicheverIsAskedAgain() {
        JsonObject step = new JsonObject()
                .put("workflow_run_id", "r")
                .put("step_key", "settled")
                .put("input", Marks.text("in"));
        JsonObject claim = here.post("/v1/steps", step).json();

        List<Answer> answers = both(caller -> Claims.succeed(caller, claim, "done"));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(both(caller -> Claims.succeed(caller, claim, "other")))
                .extracting(Answer::status)
                .containsOnly(409);
        assertThat(there.post("/v1/steps", step).get("result")).isEqualTo("done");
    }

    @Test
    void deriveTheSameKeys() {
        JsonObject body = new JsonObject().put("scope", "s").put("inputs", Marks.text("in"));
        Claims.granted(here, body);
        assertThat(Claims.claim(there, body).status()).isEqualTo(202);
        JsonObject step = new JsonObject()
                .put("workflow_run_id", "r")
                .put("step_key", "s")
                .put("input", Marks.text("in"));
        assertThat(here.post("/v1/steps", step).status()).isEqualTo(201);
        assertThat(there.post("/v1/steps", step).status()).isEqualTo(202);
    }

    private List<Answer> both(Function<Caller, Answer> ask) {
        return Crowd.of(16, i -> ask.apply(i % 2 == 0 ? here : there));
    }
}
