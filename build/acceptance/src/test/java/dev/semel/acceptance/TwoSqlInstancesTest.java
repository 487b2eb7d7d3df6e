// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Two instances over one SQL database behave like one server: what they keep besides claims. */
@BlackBox
@ParameterizedClass
@EnumSource(
        value = Environment.class,
        names = {"POSTGRES", "MARIADB_REDIS_PRODUCTION"})
class TwoSqlInstancesTest {
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
    void writeAnEventOnce() {
        for (int round = 0; round < ROUNDS; round++) {
            String key = Marks.text("key");
            JsonObject event = Ledger.event(here.tenant());
            List<Answer> answers = both(caller -> Ledger.ingest(caller, key, event));
            onlyOne(answers, "id");
        }
        assertThat(Ledger.all(here, 3, ROUNDS)).hasSize(ROUNDS).isEqualTo(Ledger.all(there, 2, ROUNDS));
    }

    @Test
    void insertACallOnce() {
        for (int round = 0; round < ROUNDS; round++) {
            Configuration.Site site = first.configuration().signingSite();
            Ask ask = Calls.signed(site, Calls.body(site.id()));
            onlyOne(both(caller -> caller.send(ask)), "call_id");
            assertThat(first.database().count("SELECT count(*) FROM calls WHERE site_id = ?", site.id()))
                    .isEqualTo(1);
        }
    }

    /** Every instance answers with a decision at once, also if it has answered that the outcome is unknown. */
    @Test
    void answerWithTheDecisionOfAnOperator() {
        Caller operator = there;
        if (first.isProduction()) {
            Configuration.Tenant tenant = first.configuration().tenant();
            here = first.client(tenant);
            there = second.client(tenant);
            operator = second.operator(tenant);
        }
        JsonObject body = Claims.fresh();
        JsonObject claim = Claims.granted(here, body);
        Claims.settle(here, claim, "park", new JsonObject().put("reason", "no answer"));
        both(caller -> Claims.claim(caller, body))
                .forEach(answer -> assertThat(answer.status()).isEqualTo(409));
        String path = "/v1/keys/" + claim.getString("claim_id");
        JsonObject decision = new JsonObject()
                .put("fence", operator.get(path).json().getLong("fence"))
                .put("reason", "seen at the bank")
                .put("result", new JsonObject().put("receipt", 7));

        assertThat(operator.post(path + "/succeed", decision).status()).isEqualTo(200);

        both(caller -> Claims.claim(caller, body)).forEach(answer -> {
            assertThat(answer.status()).as("%s", answer).isEqualTo(200);
            assertThat(answer.json().getJsonObject("result")).isEqualTo(new JsonObject().put("receipt", 7));
        });
        assertThat(here.get("/v1/audit").json().getJsonArray("decisions")).hasSize(1);
    }

    private List<Answer> both(Function<Caller, Answer> ask) {
        return Crowd.of(16, i -> ask.apply(i % 2 == 0 ? here : there));
    }

    private static void onlyOne(List<Answer> answers, String id) {
        List<Answer> written = new ArrayList<>(answers);
        written.removeIf(answer -> answer.status() != 201);
        assertThat(written).as("%s", answers).hasSize(1);
        assertThat(answers).extracting(Answer::status).containsOnly(200, 201);
        assertThat(answers)
                .extracting(answer -> answer.get(id))
                .containsOnly(written.get(0).get(id));
    }
}
