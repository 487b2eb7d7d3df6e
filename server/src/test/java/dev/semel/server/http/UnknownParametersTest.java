// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unknown query parameters are refused, as unknown members of a body are. */
class UnknownParametersTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/keys?limit=1&statsu=unknown",
                "/v1/inbox?unacknowleged=true",
                "/api/ledger/events?org_id=a&limt=1",
                "/api/calls?site_id=a&cursor=1",
                "/v1/stats?x",
                "/health?verbose=1",
                "/docs?x=1"
            })
    void aMisspelledParameterIsRefused(String path) {
        Reply refused = server.get(path);

        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-field");
    }

    @Test
    void aRequestWithABodyTooAndNothingIsClaimed() {
        String claim = "{\"scope\":\"s\",\"key\":\"k\"}";

        assertThat(server.post("/v1/claims?dry_run=true", claim).status()).isEqualTo(400);
        assertThat(server.post("/v1/claims", claim).status()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/keys?limit=1&status=unknown",
                "/v1/inbox?unacknowledged=true&provider=stripe&limit=1",
                "/api/ledger/events?org_id=a&limit=1",
                "/api/calls?site_id=a&limit=1"
            })
    void knownParametersAreAccepted(String path) {
        assertThat(server.get(path).status()).isEqualTo(200);
    }

    @Test
    void sendersOfWebhooksMayAddParameters() {
        Reply delivered = server.post("/webhooks/acme/stripe?source=retry", "{\"id\":\"evt_1\",\"type\":\"t\"}");

        assertThat(delivered.status()).as(delivered.body()).isEqualTo(200);
    }

    @Test
    void theCommandsOfTheDocumentationContainThePort() {
        assertThat(server.get("/docs").body())
                .contains("http://127.0.0.1:" + server.port() + "/v1/claims")
                .doesNotContain("8080", "@port@");
    }
}
