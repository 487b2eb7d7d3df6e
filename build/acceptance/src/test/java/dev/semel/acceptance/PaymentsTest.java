// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code POST /v1/payments/confirmations} and {@code POST /v1/payments/requests}. */
@BlackBox
@ParameterizedClass
@EnumSource(Environment.class)
class PaymentsTest {
    @Parameter
    Environment environment;

    private Caller caller;

    @BeforeEach
    void someTenant() {
        caller = environment.shared().caller();
    }

    @Test
    void confirmsOnce() {
        JsonObject body = new JsonObject().put("provider", "momo").put("provider_tx_id", Marks.text("tx"));

        Answer first = confirm(body);
        Answer meanwhile = confirm(body);
        assertThat(Claims.succeed(caller, first.json(), new JsonObject().put("booked", true))
                        .status())
                .isEqualTo(200);
        Answer repeat = confirm(body);

        assertThat(first.status()).as("%s", first).isEqualTo(201);
        Idempotent.isMiss(first);
        assertThat(first.json().fieldNames()).contains("claim_id", "token", "attempt", "lease_seconds");
        assertThat(meanwhile.status()).isEqualTo(202);
        Idempotent.isInProgress(meanwhile);
        assertThat(repeat.status()).isEqualTo(200);
        Idempotent.isHit(repeat);
        assertThat(repeat.get("status")).isEqualTo("duplicate");
    }

    @Test
    void confirmsAgainAfterAFailure() {
        JsonObject body = new JsonObject().put("provider", "momo").put("provider_tx_id", Marks.text("tx"));
        Claims.fail(caller, confirm(body).json(), true);
        Answer again = confirm(body);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.json().getInteger("attempt")).isEqualTo(2);
    }

    @Test
    void keepsProvidersAndTransactionsApart() {
        JsonObject body = new JsonObject().put("provider", "momo").put("provider_tx_id", Marks.text("tx"));
        assertThat(confirm(body).status()).isEqualTo(201);
        assertThat(confirm(body.copy().put("provider", "toss")).status()).isEqualTo(201);
        assertThat(confirm(body.copy().put("provider_tx_id", Marks.text("tx"))).status())
                .isEqualTo(201);
        assertThat(confirm(body.copy().put("provider", "a:tx:b").put("provider_tx_id", "c"))
                        .status())
                .isEqualTo(201);
        assertThat(confirm(body.copy().put("provider", "a").put("provider_tx_id", "b:tx:c"))
                        .status())
                .isEqualTo(201);
        caller = environment.shared().caller();
        assertThat(confirm(body).status()).isEqualTo(201);
    }

    @Test
    void seesAReformattedRequestAsTheSame() {
        JsonObject body = request("25.00", "+1 650-253-0000");
        assertThat(pay(body).status()).isEqualTo(201);
        assertThat(pay(body).status()).isEqualTo(202);
        for (Object amount : List.of("25", "25.0", "25.0000", 25, 25.0)) {
            assertThat(pay(body.copy().put("amount", amount)).status())
                    .as("amount %s", amount)
                    .isEqualTo(202);
        }
        for (String phone : List.of("+16502530000", "+1 (650) 253-0000", "+1.650.253.0000", " +1 650 253 0000 ")) {
            assertThat(pay(body.copy().put("phone", phone)).status()).as(phone).isEqualTo(202);
        }
    }

    @Test
    void neverTakesTwoPaymentsForOne() {
        JsonObject body = request("25.00", "+16502530000");
        assertThat(pay(body).status()).isEqualTo(201);
        for (String amount : List.of("2500", "25.01", "2.5", "250", "25.0010")) {
            assertThat(pay(body.copy().put("amount", amount)).status())
                    .as(amount)
                    .isEqualTo(201);
        }
        assertThat(pay(body.copy().put("phone", "+16502530001")).status()).isEqualTo(201);
        assertThat(pay(body.copy().put("order_id", body.getString("order_id") + "1"))
                        .status())
                .isEqualTo(201);
        assertThat(pay(body.copy().put("provider", "toss")).status()).isEqualTo(201);
    }

    @Test
    void answersASettledRequestAsADuplicate() {
        JsonObject body = request("10", "+16502530000");
        Claims.succeed(caller, pay(body).json(), "sent");
        Answer repeat = pay(body);
        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.get("status")).isEqualTo("duplicate");
    }

    @Test
    void paysOnceForACrowd() {
        JsonObject body = request("10", "+16502530000");
        List<Answer> answers = Crowd.of(16, i -> pay(body));
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.status() == 202).hasSize(15);
    }

    @Test
    void asksForItsParts() {
        for (String member : List.of("provider", "order_id", "amount", "phone")) {
            JsonObject body = request("10", "+16502530000");
            body.remove(member);
            Problem.isProblem(pay(body), 400, member);
        }
        for (String member : List.of("provider", "provider_tx_id")) {
            JsonObject body = new JsonObject().put("provider", "momo").put("provider_tx_id", "t");
            body.remove(member);
            Problem.isProblem(confirm(body), 400, member);
        }
        for (Object amount : List.of("ten", "1,000", "", "NaN", true, "1e")) {
            Problem.isProblem(pay(request("10", "+16502530000").put("amount", amount)), 400, "amount");
        }
    }

    private static JsonObject request(String amount, String phone) {
        return new JsonObject()
                .put("provider", "momo")
                .put("order_id", Marks.text("order"))
                .put("amount", amount)
                .put("phone", phone);
    }

    private Answer confirm(JsonObject body) {
        return caller.post("/v1/payments/confirmations", body);
    }

    private Answer pay(JsonObject body) {
        return caller.post("/v1/payments/requests", body);
    }
}
