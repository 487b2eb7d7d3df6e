// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer.Reply;
import dev.semel.server.http.RawClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainTest {
    private static final String WAITING =
            "POST /v1/claims HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n";

    @TempDir
    Path folder;

    @Test
    void runningWorkFinishesAndNewWorkIsNotTaken() throws IOException {
        InProcessServer server = InProcessServer.in(folder);
        String claim = "{\"scope\":\"s\",\"key\":\"drained\",\"lease_seconds\":60}";
        server.post("/v1/claims", claim);
        String waiting = claim.replace("}", ",\"wait_ms\":2000}");
        try (RawClient client = new RawClient(server.port())) {
            client.send(WAITING.formatted(waiting.length()));
            // The server has read the headers: from here on the request is running.
            client.until("100 Continue\r\n\r\n");
            CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);

            assertThat(client.send(waiting).untilClosed()).startsWith("HTTP/1.1 202 ");
            closing.join();
        }
        Assertions.assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close())
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void duringTheDelayItServesButIsNotReady() throws Exception {
        InProcessServer server = InProcessServer.in(folder, "drain: {delay_seconds: 600}", Map.of());
        assertThat(server.get("/health/ready").status()).isEqualTo(200);
        Thread closing = new Thread(server::close);
        closing.start();

        Awaitility.await().until(() -> server.get("/health/ready").status() == 503);
        assertThat(server.get("/health/ready").text("status")).isEqualTo("stopping");
        assertThat(server.get("/health/live").status()).isEqualTo(200);
        assertThat(server.post("/v1/claims", "{\"scope\":\"s\",\"key\":\"late\"}")
                        .status())
                .isEqualTo(201);

        closing.interrupt();
        closing.join();
        Assertions.assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close())
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void aSettledClaimSurvivesARestart() {
        String claim = "{\"scope\":\"s\",\"key\":\"kept\"}";
        try (InProcessServer server = InProcessServer.in(folder)) {
            Reply first = server.post("/v1/claims", claim);
            server.post(
                    "/v1/claims/%s/succeed".formatted(first.text("claim_id")),
                    "{\"token\":\"%s\",\"result\":{\"n\":1}}".formatted(first.text("token")));
        }
        try (InProcessServer server = InProcessServer.in(folder)) {
            assertThat(server.post("/v1/claims", claim).status()).isEqualTo(200);
        }
    }
}
