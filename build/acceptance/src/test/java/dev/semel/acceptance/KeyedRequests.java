// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** A request for each operation that takes a key of the client, and what its response says. */
final class KeyedRequests {
    private KeyedRequests() {}

    /** The same request for the same tenant and key. */
    static Ask of(Operation operation, String tenant, String key) {
        JsonObject claim = new JsonObject().put("scope", "tenants").put("key", key);
        return switch (operation.id()) {
            case "claim" -> Ask.post(operation.path(), claim);
            case "claimBatch" -> Ask.post(operation.path(), new JsonObject().put("claims", new JsonArray().add(claim)));
            case "step" ->
                Ask.post(
                        operation.path(),
                        new JsonObject()
                                .put("workflow_run_id", key)
                                .put("step_key", "s")
                                .put("input", 1));
            case "confirmPayment" ->
                Ask.post(
                        operation.path(),
                        new JsonObject().put("provider", "momo").put("provider_tx_id", key));
            case "requestPayment" ->
                Ask.post(
                        operation.path(),
                        new JsonObject()
                                .put("provider", "momo")
                                .put("order_id", key)
                                .put("amount", "10")
                                .put("phone", "+16502530000"));
            case "ingest" -> Ask.post(operation.path(), entry(tenant, key));
            case "ingestBatch" ->
                Ask.post(operation.path())
                        .body("application/x-ndjson", entry(tenant, key).encode());
            default -> throw new AssertionError("Add here the request of %s".formatted(operation));
        };
    }

    /** The same body for the same key, so that only the tenant differs. */
    private static JsonObject entry(String tenant, String key) {
        return Ledger.entry(key, new JsonObject().put("org_id", tenant).put("event_type", "tenants"));
    }

    /** The one thing that a response is about, also in a batch. */
    static JsonObject one(Operation operation, Answer answer) {
        assertThat(answer.status()).as("%s: %s", operation, answer).isBetween(200, 202);
        return switch (operation.id()) {
            case "claimBatch" -> Claims.verdicts(answer).get(0);
            case "ingestBatch" -> answer.lines().get(0);
            default -> answer.json();
        };
    }

    static boolean isFresh(Operation operation, Answer answer) {
        JsonObject one = one(operation, answer);
        return switch (operation.id()) {
            case "claimBatch" -> "claimed".equals(one.getString("status"));
            case "ingestBatch" -> one.getInteger("status") == 201;
            default -> answer.status() == 201;
        };
    }

    static String freshId(Operation operation, Answer answer) {
        assertThat(isFresh(operation, answer)).as("%s: %s", operation, answer).isTrue();
        JsonObject one = one(operation, answer);
        return one.getString("claim_id", one.getString("id"));
    }
}
