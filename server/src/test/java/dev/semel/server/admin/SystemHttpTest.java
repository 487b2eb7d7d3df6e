// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's files, what a console asks about its user and the instance, and lists from their end. */
class SystemHttpTest {
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

    private static String sha256(String token) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theConsoleIsServedWithItsPolicy() {
        Reply page = server.get("/console/");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'; script-src 'self'");
        assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(server.get("/console").header("Location")).isEqualTo("/console/");
        assertThat(server.get("/console/app.js").header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(server.get("/console/../openapi.yaml").status()).isNotEqualTo(500);
        assertThat(server.get("/console/nothing.js").status()).isEqualTo(404);
        assertThat(server.get("/console/%2e%2e%2fapp.js").status()).isEqualTo(404);
    }

    @Test
    void aCurrentCopyIsNotSentAgain() {
        String etag = server.get("/console/app.js").header("ETag");

        Reply again = server.get("/console/app.js", "If-None-Match", etag);

        assertThat(again.status()).isEqualTo(304);
        assertThat(again.bytes()).isEmpty();
        assertThat(again.header("ETag")).isEqualTo(etag);
        assertThat(server.send(server.request("/console/app.js")
                                .method("HEAD", HttpRequest.BodyPublishers.noBody())
                                .build())
                        .bytes())
                .isEmpty();
    }

    @Test
    void everyLocalCallerIsAnOperatorInDevelopment() {
        Reply me = server.get("/v1/whoami", "X-Organization-Id", "acme", "X-Actor-Id", "ann");

        assertThat(me.body())
                .contains("\"tenant\":\"acme\"", "\"actor\":\"ann\"", "\"operator\":true", "\"chooses_tenant\":true")
                .contains("\"keys\"", "\"stream\"", "\"webhooks\"");
        assertThat(server.get("/v1/system").body()).contains("\"mode\":\"development\"", "\"database\":\"SQLite ");
        assertThat(server.get("/v1/settings").text("yaml")).contains("idempotency_hours");
        assertThat(server.get("/v1/doctor").body()).startsWith("{\"findings\":[");
    }

    @Test
    void rolesAndTenantsAreThoseOfTheToken(@TempDir Path own) throws Exception {
        String yaml = """
                server: {production: true, host: 127.0.0.1}
                secret: "a secret that is long enough for this test"
                tokens:
                  - {sha256: %s, tenant: acme, actor: olga, role: operator}
                  - {sha256: %s, tenant: acme, actor: victor, role: viewer}
                  - {sha256: %s, tenant: globex, actor: gil, role: operator}
                """.formatted(sha256("operator"), sha256("viewer"), sha256("other"));
        try (InProcessServer production = InProcessServer.in(own, yaml, Map.of())) {
            assertThat(production.get("/console/").status())
                    .as("the files are open")
                    .isEqualTo(200);
            assertThat(production.get("/v1/whoami").status()).isEqualTo(401);
            assertThat(production
                            .get("/v1/whoami", "Authorization", "Bearer viewer")
                            .body())
                    .contains("\"actor\":\"victor\"", "\"operator\":false", "\"chooses_tenant\":false");
            assertThat(production
                            .get("/v1/settings", "Authorization", "Bearer viewer")
                            .status())
                    .isEqualTo(403);
            assertThat(production
                            .get("/v1/settings", "Authorization", "Bearer operator")
                            .text("yaml"))
                    .contains("olga", "victor")
                    .doesNotContain("globex", "gil", "long enough");
        }
    }

    @Test
    void listsCanBeReadFromTheirEnd() {
        String org = "org-" + UUID.randomUUID();
        for (int i = 1; i <= 5; i++) {
            server.post(
                    "/api/ledger/ingest",
                    "{\"idempotency_key\":\"k%d\",\"event\":{\"org_id\":\"%s\",\"event_type\":\"t%d\"}}"
                            .formatted(i, org, i));
        }
        String list = "/api/ledger/events?org_id=" + org;

        Reply newest = server.get(list + "&last=2");
        Reply before = server.get(list + "&last=2&before=" + newest.text("previous"));
        Reply oldest = server.get(list + "&last=2&before=" + before.text("previous"));

        assertThat(types(newest)).containsExactly("t4", "t5");
        assertThat(types(before)).containsExactly("t2", "t3");
        assertThat(types(oldest)).containsExactly("t1");
        assertThat(oldest.body()).contains("\"previous\":null");
        assertThat(server.get(list).body()).doesNotContain("previous");
        for (String wrong :
                List.of("&last=2&limit=3", "&last=2&after=0-1", "&before=0-1", "&last=0", "&last=2&before=x")) {
            assertThat(server.get(list + wrong).problem()).as(wrong).isEqualTo("invalid-field");
        }
        assertThat(types(server.get(list + "&last=2&before=0-0"))).isEmpty();
    }

    private static List<String> types(Reply page) {
        return Pattern.compile("\"event_type\":\"([^\"]+)\"")
                .matcher(page.body())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void aLedgerEventIsFoundByItsKey() {
        String id = server.post(
                        "/api/ledger/ingest",
                        "{\"idempotency_key\":\"known\",\"event\":{\"org_id\":\"finder\",\"event_type\":\"t\"}}")
                .text("id");

        assertThat(lookup("finder", "known").text("id")).isEqualTo(id);
        assertThat(lookup("finder", "unknown").problem()).isEqualTo("not-found");
        assertThat(lookup("another", "known").problem()).isEqualTo("not-found");
        assertThat(lookup("finder", "k".repeat(1_025)).problem()).isEqualTo("invalid-field");
    }

    private static Reply lookup(String org, String key) {
        return server.post("/api/ledger/lookup", "{\"org_id\":\"%s\",\"idempotency_key\":\"%s\"}".formatted(org, key));
    }

    @Test
    void statisticsHaveTotalsAChartAndTheDay() {
        String tenant = "stats-" + UUID.randomUUID();
        String claim = "{\"scope\":\"s\",\"key\":\"k\"}";
        server.post("/v1/claims", claim, "X-Organization-Id", tenant);
        server.post("/v1/claims", claim, "X-Organization-Id", tenant);

        String stats = server.get("/v1/stats", "X-Organization-Id", tenant).body();

        assertThat(stats)
                .contains("\"total\":{\"hits\":0,\"misses\":1,")
                .contains("\"step_seconds\":5,")
                .contains("\"duplicates_prevented\":1")
                .containsPattern("\\[0,1,1,0,0\\]|\\[0,1,0,0,0\\],\\[0,0,1,0,0\\]");
    }
}
