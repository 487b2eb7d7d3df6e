// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonNumber;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a proxied route answers after an operator has decided about its request. */
class DecidedRouteTest extends ApiProxyTestBase {
    private Reply order() {
        return proxy.post("/orders", "{}", "Idempotency-Key", "k");
    }

    private void parkedAndDecided(String more, String verb, String body) {
        start(", on_stale: park" + more, (request, out) -> false);
        assertThat(order().status()).isEqualTo(502);
        JsonObject key =
                (JsonObject) ((JsonArray) proxy.get("/v1/keys?status=unknown").member("keys"))
                        .elements()
                        .get(0);
        String id = ((JsonString) member(key, "id")).value();
        String fence = ((JsonNumber) member(key, "fence")).text();
        Reply decided = proxy.post(
                "/v1/keys/" + id + "/" + verb, "{\"fence\":%s,\"reason\":\"seen\"%s}".formatted(fence, body));
        assertThat(decided.status()).as(decided.body()).isEqualTo(200);
    }

    private static Json member(JsonObject object, String name) {
        return object.member(name).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", store: sanitised", ", store: none"})
    void theResultOfAnOperatorIsTheAnswer(String store) {
        parkedAndDecided(store, "succeed", ",\"result\":{\"order\":7}");

        Reply replay = order();

        assertThat(replay.status()).as(replay.body()).isEqualTo(200);
        assertThat(replay.body()).isEqualTo("{\"order\":7}");
        assertThat(replay.header("Content-Type")).isEqualTo("application/json");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(replay.header("Idempotency-Replay-Note")).contains("operator");
        assertThat(runs).hasValue(1);
    }

    @Test
    void successWithoutAResultIsAnEmptyAnswer() {
        parkedAndDecided("", "succeed", "");

        Reply replay = order();

        assertThat(replay.status()).as(replay.body()).isEqualTo(200);
        assertThat(replay.body()).isEmpty();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aFailureIsNotAnsweredAsUnknown() {
        parkedAndDecided("", "fail", "");

        Reply replay = order();

        assertThat(replay.status()).isEqualTo(409);
        assertThat(replay.problem()).isEqualTo("decided-failed");
        assertThat(proxy.get(replay.text("type")).status()).as("is described").isEqualTo(200);
        assertThat(runs).hasValue(1);
    }
}
