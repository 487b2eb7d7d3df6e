// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.internal.Sha256;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access rules in production mode. */
class ProductionTest {
    private static final String CLAIM = "{\"scope\":\"s\",\"key\":\"%s\"}";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() throws Exception {
        server = InProcessServer.in(
                folder,
                """
                server: {production: true}
                limits: {new_keys_per_second: 1, new_keys_at_once: 20}
                tokens:
                  - {sha256: "%s", tenant: acme, actor: billing, role: client}
                  - {sha256: "%s", tenant: acme, actor: eve, role: viewer}
                  - {sha256: "%s", tenant: other, actor: ops, role: operator}
                  - {sha256: "%s", tenants: [north, south], actor: ops, role: operator}
                  - {sha256: "%s", tenants: ["*"], actor: ops, role: operator}
                """.formatted(
                                sha256("client-token"),
                                sha256("viewer-token"),
                                sha256("operator-token"),
                                sha256("two-token"),
                                sha256("all-token")),
                Map.of("IDEMPOTENCY_SECRET", "0123456789abcdef0123456789abcdef"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aValidTokenIsRequired() {
        for (String[] headers : new String[][] {
            {},
            {"Authorization", "Bearer wrong"},
            {"Authorization", "Bearer "},
            {"Authorization", "Basic Y2xpZW50LXRva2Vu"},
            {"Authorization", "client-token"},
            {"Authorization", "Bearer " + "x".repeat(2_000)},
            {"Authorization", "Bearer client-token", "Authorization", "Bearer client-token"},
            {"X-Organization-Id", "acme", "X-Actor-Id", "billing"}
        }) {
            Reply reply = server.post("/v1/claims", CLAIM.formatted("nobody"), headers);
            assertThat(reply.status()).as("%s", (Object) headers).isEqualTo(401);
            assertThat(reply.problem()).isEqualTo("unauthenticated");
            assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
            assertThat(reply.body()).doesNotContain("wrong", "client-token");
        }
    }

    @Test
    void aViewerMayNotClaim() {
        Reply reply = claim("viewed", "viewer-token");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.problem()).isEqualTo("forbidden");
    }

    @Test
    void aTokenWithSeveralTenantsNamesOneWithEachRequest() {
        assertThat(claim("several", "two-token", "X-Organization-Id", "north").status())
                .isEqualTo(201);
        assertThat(claim("several", "two-token", "X-Organization-Id", "south").status())
                .as("another tenant's key")
                .isEqualTo(201);
        assertThat(claim("several", "two-token", "X-Organization-Id", "north").status())
                .isEqualTo(202);
        assertThat(claim("several", "all-token", "X-Organization-Id", "north").status())
                .isEqualTo(202);

        assertThat(claim("several", "two-token").problem()).isEqualTo("invalid-field");
        assertThat(claim("several", "all-token").problem()).isEqualTo("invalid-field");
        assertThat(claim("several", "two-token", "X-Organization-Id", "acme").problem())
                .isEqualTo("forbidden");
        assertThat(claim("several", "two-token", "X-Organization-Id", "*").problem())
                .isEqualTo("forbidden");
        assertThat(claim("several", "two-token", "X-Organization-Id", "north", "X-Organization-Id", "south")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void onlyTheTokenDeterminesTheIdentity() {
        assertThat(claim("whose", "client-token").status()).isEqualTo(201);
        assertThat(claim("whose", "client-token", "X-Organization-Id", "other").status())
                .as("the header is ignored")
                .isEqualTo(202);
        assertThat(claim("whose", "operator-token").status())
                .as("another tenant")
                .isEqualTo(201);
    }

    @Test
    void healthAndDocumentsNeedNoToken() {
        assertThat(server.get("/health").status()).isEqualTo(200);
        assertThat(server.get("/docs").status()).isEqualTo(200);
        assertThat(server.get("/openapi.yaml", "Origin", "http://elsewhere").status())
                .isEqualTo(200);
    }

    @Test
    void tooManyNewKeysOfOneTenantAreRefused() {
        Reply last = claim("many-0", "operator-token");
        for (int i = 1; last.status() == 201 && i < 60; i++) {
            last = claim("many-" + i, "operator-token");
        }

        assertThat(last.status()).isEqualTo(429);
        assertThat(last.problem()).isEqualTo("too-many-new-keys");
        assertThat(Integer.parseInt(last.header("Retry-After"))).isPositive();
        assertThat(claim("beside", "client-token").status())
                .as("another tenant")
                .isEqualTo(201);
    }

    private static Reply claim(String key, String token, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 2, headers.length);
        all[0] = "Authorization";
        all[1] = "Bearer " + token;
        return server.post("/v1/claims", CLAIM.formatted(key), all);
    }

    private static String sha256(String text) throws Exception {
        return Sha256.hex(text.getBytes(StandardCharsets.UTF_8));
    }
}
