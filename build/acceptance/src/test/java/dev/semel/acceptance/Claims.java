// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Makes and settles claims. */
final class Claims {
    static final String CLAIMS = "/v1/claims";
    static final String BATCH = "/v1/claims/batch";

    private Claims() {}

    static JsonObject on(String scope, String key) {
        return new JsonObject().put("scope", scope).put("key", key);
    }

    /** With a unique key. */
    static JsonObject fresh() {
        return on("orders.charge", Marks.text("key"));
    }

    static Answer claim(Caller caller, JsonObject body) {
        return caller.post(CLAIMS, body);
    }

    static Answer batch(Caller caller, List<JsonObject> claims) {
        return caller.post(BATCH, new JsonObject().put("claims", new JsonArray(claims)));
    }

    static List<JsonObject> verdicts(Answer batch) {
        assertThat(batch.status()).as("%s", batch).isEqualTo(200);
        return batch.array("verdicts").stream().map(JsonObject.class::cast).toList();
    }

    /** A claim that must be granted. */
    static JsonObject granted(Caller caller, JsonObject body) {
        Answer answer = claim(caller, body);
        assertThat(answer.status()).as("%s", answer).isEqualTo(201);
        return answer.json();
    }

    static Answer settle(Caller caller, JsonObject claim, String how, JsonObject more) {
        return caller.post(
                CLAIMS + "/" + claim.getString("claim_id") + "/" + how,
                more.copy().put("token", claim.getString("token")));
    }

    static Answer succeed(Caller caller, JsonObject claim, Object result) {
        return settle(caller, claim, "succeed", new JsonObject().put("result", result));
    }

    static Answer fail(Caller caller, JsonObject claim, boolean retryable) {
        return settle(caller, claim, "fail", new JsonObject().put("retryable", retryable));
    }
}
