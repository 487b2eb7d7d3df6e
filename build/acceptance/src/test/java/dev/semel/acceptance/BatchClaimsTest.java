// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code POST /v1/claims/batch}. */
@BlackBox
@ParameterizedClass
@EnumSource(value = Environment.class, mode = EnumSource.Mode.EXCLUDE, names = "DYNAMODB")
class BatchClaimsTest {
    @Parameter
    Environment environment;

    private Caller caller;

    @BeforeEach
    void someTenant() {
        caller = environment.shared().caller();
    }

    @Test
    void answersInOrder() {
        JsonObject done = Claims.fresh();
        Claims.succeed(caller, Claims.granted(caller, done), "done");
        JsonObject running = Claims.fresh().put("fingerprint", "one");
        Claims.granted(caller, running);
        JsonObject failed = Claims.fresh();
        Claims.fail(caller, Claims.granted(caller, failed), false);

        List<JsonObject> verdicts = Claims.verdicts(batch(List.of(
                done,
                Claims.fresh(),
                running,
                failed,
                running.copy().put("fingerprint", "other"),
                new JsonObject().put("scope", "s").put("inputs", Marks.text("in")))));

        assertThat(verdicts).hasSize(6);
        assertThat(verdicts.get(0).getString("status")).isEqualTo("succeeded");
        assertThat(verdicts.get(0).getString("result")).isEqualTo("done");
        assertThat(verdicts.get(1).getString("status")).isEqualTo("claimed");
        assertThat(verdicts.get(2).getString("status")).isEqualTo("in_progress");
        assertThat(verdicts.get(3).getString("status")).isEqualTo("failed");
        assertThat(verdicts.get(4).encode()).contains("mismatch");
        assertThat(verdicts.get(5).getString("status")).isEqualTo("claimed");
        assertThat(Claims.succeed(caller, verdicts.get(1), 1).status()).isEqualTo(200);
    }

    @Test
    void grantsAKeyOnceInABatch() {
        JsonObject body = Claims.fresh();
        List<JsonObject> verdicts = Claims.verdicts(batch(List.of(body, body, body)));
        assertThat(verdicts)
                .extracting(verdict -> verdict.getString("status"))
                .containsExactlyInAnyOrder("claimed", "in_progress", "in_progress");
    }

    @Test
    void takesAThousandAndNoMore() {
        List<JsonObject> thousand = java.util.stream.IntStream.range(0, 1_000)
                .mapToObj(i -> Claims.fresh())
                .toList();
        List<JsonObject> verdicts = Claims.verdicts(batch(thousand));
        assertThat(verdicts)
                .hasSize(1_000)
                .allSatisfy(verdict -> assertThat(verdict.getString("status")).isEqualTo("claimed"));
        assertThat(Claims.verdicts(batch(thousand)))
                .allSatisfy(verdict -> assertThat(verdict.getString("status")).isEqualTo("in_progress"));
        JsonArray tooMany = new JsonArray();
        for (int i = 0; i < 1_001; i++) {
            tooMany.add(Claims.fresh());
        }
        Answer refused = caller.post(Claims.BATCH, new JsonObject().put("claims", tooMany));
        assertThat(refused.status()).as("%s", refused).isIn(400, 413);
        assertThat(Claims.claim(caller, tooMany.getJsonObject(0)).status())
                .as("no key of the batch was claimed")
                .isEqualTo(201);
    }

    @Test
    void namesTheBadOne() {
        Answer answer = batch(List.of(Claims.fresh(), new JsonObject().put("scope", "s")));
        assertThat(answer.text()).contains("key");
        assertThat(answer.status()).isIn(200, 400);
    }

    @Test
    void keepsTenantsApart() {
        List<JsonObject> bodies = List.of(Claims.fresh(), Claims.fresh());
        batch(bodies);
        caller = environment.shared().caller();
        assertThat(Claims.verdicts(batch(bodies)))
                .allSatisfy(verdict -> assertThat(verdict.getString("status")).isEqualTo("claimed"));
    }

    private Answer batch(List<JsonObject> claims) {
        return Claims.batch(caller, claims);
    }
}
