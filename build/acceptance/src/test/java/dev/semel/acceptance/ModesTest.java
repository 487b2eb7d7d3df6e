// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Development and production mode. */
@BlackBox
class ModesTest {
    @Nested
    class Development {
        private final RunningServer server = Environment.SQLITE.shared();

        @Test
        void takesTheTenantFromTheHeaderOrTheDefault() {
            JsonObject body = Claims.fresh();
            Claims.granted(server.nobody(), body);
            assertThat(Claims.claim(server.named("default"), body).status()).isEqualTo(202);
            assertThat(Claims.claim(server.caller(), body).status()).isEqualTo(201);
        }

        @Test
        void answersLoopbackNames() {
            int port = server.process().port();
            for (String host : List.of(
                    "127.0.0.1:" + port, "localhost:" + port, "LOCALHOST", "127.0.0.1", "[::1]:" + port, "127.1.2.3")) {
                assertThat(server.nobody()
                                .send(Ask.get("/health").header("Host", host))
                                .status())
                        .as(host)
                        .isEqualTo(200);
            }
        }

        @Test
        void refusesOtherHosts() {
            for (String host : List.of(
                    "example.com",
                    "127.0.0.1.example.com",
                    "localhost.example.com",
                    "example.com:" + server.process().port(),
                    "10.0.0.1",
                    "0.0.0.0",
                    "[::2]")) {
                Ask claim = Ask.post(Claims.CLAIMS, Claims.fresh()).header("Host", host);
                Problem.isProblem(server.nobody().send(claim), 403);
                Problem.isProblem(server.nobody().send(Ask.get("/health").header("Host", host)), 403);
            }
        }

        @Test
        void refusesAHostThatIsNone() {
            for (String host : List.of(
                    "127.0.0.1@example.com", "127.0.0.1:80:80@example.com", "[::1]x", "localhost:x", "localhost:")) {
                Ask claim = Ask.post(Claims.CLAIMS, Claims.fresh()).header("Host", host);
                Problem.isProblem(server.nobody().send(claim), 400, "Host");
                Problem.isProblem(server.nobody().send(Ask.get("/health").header("Host", host)), 400, "Host");
            }
        }

        @Test
        void refusesAFormOfAnotherSite() {
            JsonObject body = Claims.fresh();
            Ask form = Ask.post(Claims.CLAIMS, body)
                    .header("Sec-Fetch-Site", "cross-site")
                    .header("Sec-Fetch-Mode", "navigate");
            Problem.isProblem(server.nobody().send(form), 403);
            assertThat(Claims.claim(server.nobody(), body).status())
                    .as("nothing was claimed")
                    .isEqualTo(201);
        }

        @Test
        void refusesOtherOrigins() {
            int port = server.process().port();
            for (String origin : List.of(
                    "http://example.com",
                    "null",
                    "https://127.0.0.1:" + port,
                    "http://127.0.0.1:" + (port + 1),
                    "http://127.0.0.1")) {
                Ask claim = Ask.post(Claims.CLAIMS, Claims.fresh()).header("Origin", origin);
                Problem.isProblem(server.nobody().send(claim), 403);
            }
            Ask own = Ask.post(Claims.CLAIMS, Claims.fresh()).header("Origin", "http://127.0.0.1:" + port);
            assertThat(server.nobody().send(own).status()).isEqualTo(201);
        }
    }

    @Nested
    class Production {
        private final RunningServer server = Environment.SQLITE_PRODUCTION.shared();

        @Test
        void asksForAToken() {
            for (Caller stranger : List.of(
                    server.nobody(),
                    server.named("acme"),
                    server.bearer("acme", Marks.text("wrong")),
                    server.bearer("acme", ""))) {
                for (Answer answer : List.of(
                        Claims.claim(stranger, Claims.fresh()),
                        Ledger.ingest(stranger, Marks.text("key")),
                        stranger.get(Ledger.EVENTS + "?org_id=acme"),
                        stranger.get(Ledger.EVENTS + "/" + UUID.randomUUID()),
                        stranger.get(Calls.CALLS + "?site_id=a"))) {
                    Problem.isProblem(answer, 401);
                    assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
                }
            }
        }

        @Test
        void needsNoTokenForPublicRoutes() {
            for (String open : List.of("/health", "/health/live", "/health/ready", "/openapi.yaml", "/docs", "/")) {
                assertThat(server.nobody().get(open).status()).as(open).isEqualTo(200);
            }
        }

        @Test
        void doesNotTakeAnotherSchemeOrADigestForAToken() {
            Configuration.Tenant tenant = server.configuration().tenant();
            for (String value : List.of(
                    tenant.client(),
                    "Basic " + tenant.client(),
                    "Bearer " + Configuration.sha256(tenant.client()),
                    "Bearer  x" + tenant.client(),
                    "Bearer " + tenant.client() + "x",
                    "Bearer " + tenant.client() + "," + tenant.client())) {
                Ask ask = Ask.post(Claims.CLAIMS, Claims.fresh()).header("Authorization", value);
                Problem.isProblem(server.client().send(ask), 401);
            }
        }

        @Test
        void ignoresTheHeadersOfDevelopment() {
            Caller acme = server.caller();
            Caller globex = server.caller();
            JsonObject body = Claims.fresh();
            Answer disguised = acme.send(Ask.post(Claims.CLAIMS, body)
                    .header("X-Organization-Id", globex.tenant())
                    .header("X-Actor-Id", "root"));
            assertThat(disguised.status()).isEqualTo(201);
            assertThat(Claims.claim(acme, body).status()).isEqualTo(202);
            assertThat(Claims.claim(globex, body).status()).isEqualTo(201);
        }

        @Test
        void letsARoleDoWhatItMay() {
            Configuration.Tenant tenant = server.configuration().tenant();
            Caller client = server.client(tenant);
            Caller viewer = server.viewer(tenant);
            Answer written = Ledger.ingest(client, Marks.text("key"));
            assertThat(viewer.get(Ledger.EVENTS + "/" + written.get("id")).status())
                    .isEqualTo(200);
            Problem.isProblem(Ledger.ingest(viewer, Marks.text("key")), 403);
            Problem.isProblem(Claims.claim(viewer, Claims.fresh()), 403);
            Problem.isProblem(viewer.post(Claims.BATCH, new JsonObject()), 403);
        }

        @Test
        void writesToTheTokensTenantOnly() {
            Caller acme = server.caller();
            Caller globex = server.caller();
            Problem.isProblem(Ledger.ingest(acme, Marks.text("key"), Ledger.event(globex.tenant())), 403);
            assertThat(Ledger.all(globex, 10)).isEmpty();
            assertThat(Ledger.all(acme, 10)).isEmpty();
        }

        @Test
        void writesALineOfABatchToTheTokensTenantOnly() {
            Caller acme = server.caller();
            Caller globex = server.caller();
            String lines = Ledger.entry(Marks.text("key"), Ledger.event(globex.tenant()))
                            .encode()
                    + "\n"
                    + Ledger.entry(Marks.text("key"), Ledger.event(acme.tenant()))
                            .encode();
            Answer answer = acme.send(Ask.post(Ledger.BATCH).body("application/x-ndjson", lines));
            assertThat(answer.lines())
                    .extracting(line -> line.getInteger("status"))
                    .containsExactly(403, 201);
            assertThat(Ledger.all(globex, 10)).isEmpty();
        }

        @Test
        void answersForeignAndAbsentThingsInTheSameWay() {
            Caller acme = server.caller();
            Caller globex = server.caller();
            Answer written = Ledger.ingest(acme, Marks.text("key"));
            Answer foreign = globex.get(Ledger.EVENTS + "/" + written.get("id"));
            Answer unknown = globex.get(Ledger.EVENTS + "/" + UUID.randomUUID());
            Problem.isProblem(foreign, 404);
            assertThat(foreign.json()).isEqualTo(unknown.json());
            Answer list = globex.get(Ledger.EVENTS + "?org_id=" + acme.tenant());
            Answer nobodys = globex.get(Ledger.EVENTS + "?org_id=" + Marks.name("nobody"));
            assertThat(list.status()).isEqualTo(nobodys.status());
            assertThat(list.text()).doesNotContain(written.get("id"));
        }

        @Test
        void acceptsACallByItsSignatureAlone() {
            Configuration.Site site = server.configuration().signingSite();
            assertThat(server.nobody()
                            .send(Calls.signed(site, Calls.body(site.id())))
                            .status())
                    .isEqualTo(201);
            Problem.isProblem(server.nobody().send(Calls.unsigned(Calls.body(site.id()))), 401);
            Problem.isProblem(server.caller().send(Calls.unsigned(Calls.body(site.id()))), 401);
        }
    }

    @Nested
    class Refusals {
        @TempDir
        Path folder;

        private final String secret = Marks.text("idempotency-secret-of-more-than-32-bytes");

        @Test
        void needsASecretAndTokens() {
            refused(production(), "IDEMPOTENCY_SECRET", "tokens");
        }

        @Test
        void needsTokens() {
            refused(production().withVariable("IDEMPOTENCY_SECRET", secret), "tokens");
        }

        @Test
        void needsASecret() throws IOException {
            refused(production().with("--config", tokens().toString()), "IDEMPOTENCY_SECRET");
        }

        @Test
        void needsALongSecret() throws IOException {
            Launch launch = production().with("--config", tokens().toString());
            String tooShort = Marks.text("secret").substring(0, 20) + "x".repeat(11);
            refused(launch.withVariable("IDEMPOTENCY_SECRET", tooShort), "IDEMPOTENCY_SECRET", "32");
            refused(launch.withVariable("IDEMPOTENCY_SECRET", ""), "IDEMPOTENCY_SECRET");
        }

        @Test
        void isInProductionOffLoopback() {
            refused(Launch.in(folder.resolve("data")).with("--host", "0.0.0.0"), "IDEMPOTENCY_SECRET", "tokens");
            refused(
                    Launch.in(folder.resolve("data")).withVariable("SEMEL_PRODUCTION", "true"),
                    "IDEMPOTENCY_SECRET",
                    "tokens");
        }

        @Test
        void needsASecretForEachSite() throws IOException {
            Path file = Files.writeString(
                    folder.resolve("semel.yml"), Files.readString(tokens()) + "calls: {sites: {lonely: {}}}\n");
            refused(
                    production().with("--config", file.toString()).withVariable("IDEMPOTENCY_SECRET", secret),
                    "lonely",
                    "secret");
        }

        @Test
        void takesADigestForAToken() throws IOException {
            Path file = Files.writeString(
                    folder.resolve("semel.yml"),
                    "tokens: [{sha256: \"%s\", tenant: acme, actor: a, role: client}]\n"
                            .formatted(Marks.text("token")));
            refused(
                    production().with("--config", file.toString()).withVariable("IDEMPOTENCY_SECRET", secret),
                    "sha256");
        }

        private Launch production() {
            return Launch.in(folder.resolve("data")).with("--production");
        }

        private Path tokens() throws IOException {
            return Files.writeString(
                    folder.resolve("tokens.yml"),
                    "tokens:\n  - {sha256: \"%s\", tenant: acme, actor: billing, role: client}\n"
                            .formatted(Configuration.sha256(Marks.text("token"))));
        }

        private static void refused(Launch launch, String... named) {
            SemelProcess.Ended ended = SemelProcess.refused(launch);
            assertThat(ended.exitCode()).as(ended.output()).isNotZero();
            assertThat(ended.output()).contains(named).doesNotContain("\tat ");
        }
    }
}
