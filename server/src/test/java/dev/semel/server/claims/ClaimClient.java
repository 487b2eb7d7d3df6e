// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.util.List;

/** Sends claims to a server. Bodies are written with single quotes, which are easier to read here. */
record ClaimClient(InProcessServer server) {
    Reply claim(String body) {
        return server.post("/v1/claims", json(body));
    }

    /** Makes a claim that must be granted. */
    Reply granted(String body) {
        Reply reply = claim(body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        return reply;
    }

    Reply step(String run) {
        return server.post(
                "/v1/steps", json("{'workflow_run_id':'%s','step_key':'send','input':{'a':1}}".formatted(run)));
    }

    Reply payment(String transaction) {
        return server.post(
                "/v1/payments/confirmations", json("{'provider':'momo','provider_tx_id':'%s'}".formatted(transaction)));
    }

    /** Makes a batch of claims and returns the verdicts. */
    List<JsonObject> batch(String claims) {
        return verdicts(server.post("/v1/claims/batch", json("{'claims':[%s]}".formatted(claims))));
    }

    static List<JsonObject> verdicts(Reply batch) {
        assertThat(batch.status()).as(batch.body()).isEqualTo(200);
        return ((JsonArray) batch.member("verdicts"))
                .elements().stream().map(JsonObject.class::cast).toList();
    }

    Reply settle(Reply claim, String how, String rest) {
        return settle(claim.text("claim_id"), claim.text("token"), how, rest);
    }

    Reply settle(String id, String token, String how, String rest) {
        return server.post("/v1/claims/%s/%s".formatted(id, how), json("{'token':'%s',%s}".formatted(token, rest)));
    }

    /** Settles a claim as succeeded, which must be confirmed. */
    void succeeded(Reply claim, String result) {
        Reply reply = settle(claim, "succeed", "'result':" + result);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    static String json(String text) {
        return text.replace('\'', '"');
    }
}
