// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a proxied request whose key was used for another request. */
class ConflictHistoryTest {
    @TempDir
    Path folder;

    @Test
    void conflictsShowWhereTheRequestsDifferedAndAreLimited() throws Exception {
        HttpServer target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        target.start();
        String routes = "api: {routes: [{path: \"/orders\", target: \"http://127.0.0.1:%d\"}]}"
                .formatted(target.getAddress().getPort());
        try (InProcessServer server = InProcessServer.in(folder, routes, Map.of())) {
            assertThat(order(server, 1).status()).isEqualTo(204);
            for (int amount = 2; amount < 22; amount++) {
                assertThat(order(server, amount).status()).isEqualTo(409);
            }
            String id = text(list(server.get("/v1/keys"), "keys").get(0), "id");

            await("the history is written with a delay")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(list(server.get("/v1/keys/" + id), "history"))
                            .extracting(entry -> text(entry, "kind") + " " + text(entry, "details"))
                            .containsExactly("conflict /amount", "conflict /amount", "conflict /amount"));
        } finally {
            target.stop(0);
        }
    }

    private static Reply order(InProcessServer server, int amount) {
        return server.post(
                "/orders", "{\"item\":\"book\",\"amount\":%d}".formatted(amount), "Idempotency-Key", "\"one\"");
    }

    private static List<JsonObject> list(Reply reply, String name) {
        return ((JsonArray) reply.member(name))
                .elements().stream().map(JsonObject.class::cast).toList();
    }

    private static String text(JsonObject object, String name) {
        return ((JsonString) object.member(name).orElseThrow()).value();
    }
}
