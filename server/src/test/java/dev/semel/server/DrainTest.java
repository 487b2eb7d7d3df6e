// SPDX-License-Identifier: Apache-2.0
package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.TestServer.Reply;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrainTest {
    @TempDir
    Path folder;

    @Test
    void runningWorkFinishesAndNewWorkIsNotTaken() {
        TestServer server = TestServer.in(folder);
        String claim = "{\"scope\":\"s\",\"key\":\"drained\",\"lease_seconds\":60}";
        server.post("/v1/claims", claim);
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(
                () -> server.post("/v1/claims", claim.replace("}", ",\"wait_ms\":2000}")));
        Awaitility.await().until(() -> server.get("/health/live").status() == 200);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);

        assertThat(waiting.join().status()).isEqualTo(202);
        closing.join();
        Assertions.assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close())
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void whatWasSettledIsThereAfterARestart() {
        String claim = "{\"scope\":\"s\",\"key\":\"kept\"}";
        try (TestServer server = TestServer.in(folder)) {
            Reply first = server.post("/v1/claims", claim);
            server.post(
                    "/v1/claims/%s/succeed".formatted(first.text("claim_id")),
                    "{\"token\":\"%s\",\"result\":{\"n\":1}}".formatted(first.text("token")));
        }
        try (TestServer server = TestServer.in(folder)) {
            assertThat(server.post("/v1/claims", claim).status()).isEqualTo(200);
        }
    }
}
