// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.PostgresServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors of all routes. */
@BlackBox
class ProblemsTest {
    private final RunningServer server = Environment.SQLITE.shared();

    @Test
    void everyErrorLeadsToAPageAboutIt() {
        Caller caller = server.caller();
        JsonObject claim = Claims.granted(caller, Claims.fresh());
        List<Answer> errors = List.of(
                caller.get("/nowhere"),
                caller.get(Claims.CLAIMS),
                caller.postText(Claims.CLAIMS, "{"),
                caller.postText(Claims.CLAIMS, "{}"),
                caller.postText(Claims.CLAIMS, "\"" + "x".repeat(17 << 20) + "\""),
                caller.send(Ask.post(Claims.CLAIMS).body("text/plain", "x")),
                caller.send(Ask.get("/health").header("Host", "example.com")),
                Claims.succeed(caller, claim.copy().put("token", "00000000-0000-0000-0000-000000000000"), 1),
                caller.postText("/webhooks/nobody", "{}"),
                caller.postText("/webhooks/stripe", "{}"),
                caller.postText("/webhooks/toss", "{}"),
                caller.get("/webhooks/whatsapp"),
                server.nobody()
                        .send(Calls.unsigned(
                                Calls.body(server.configuration().signingSite().id()))));
        assertThat(errors).extracting(Answer::status).contains(404, 405, 400, 413, 403, 401);
        for (Answer error : errors) {
            Problem.isProblem(error, error.status());
            String type = error.get("type");
            assertThat(type).as("relative").startsWith("/");
            assertThat(caller.get(type.replaceFirst("#.*", "")).status())
                    .as(type)
                    .isEqualTo(200);
        }
    }

    @Test
    void anUnknownMethodIsRefusedWithTheAllowedOnes() {
        Answer answer = server.caller().get(Claims.CLAIMS);
        Problem.isProblem(answer, 405);
        assertThat(answer.header("Allow")).contains("POST");
    }

    @Test
    void describesAllItsRoutesAndAnswersAsDescribed() {
        assertThat(server.openApi().operations())
                .contains(
                        "POST /api/ledger/ingest",
                        "POST /api/ledger/ingest/batch",
                        "GET /api/ledger/events/{id}",
                        "GET /api/ledger/events",
                        "POST /api/call-event",
                        "GET /api/calls/{id}",
                        "GET /api/calls",
                        "POST /v1/claims",
                        "POST /v1/claims/{claim_id}/succeed",
                        "POST /v1/claims/{claim_id}/fail",
                        "POST /v1/claims/{claim_id}/renew",
                        "POST /v1/claims/{claim_id}/park",
                        "POST /v1/claims/batch",
                        "POST /v1/steps",
                        "POST /v1/payments/confirmations",
                        "POST /v1/payments/requests",
                        "POST /webhooks/{provider}",
                        "POST /webhooks/{org}/{provider}",
                        "POST /webhooks/{org}/{provider}/{secret}",
                        "GET /webhooks/{provider}",
                        "OPTIONS /webhooks/{provider}",
                        "GET /v1/inbox",
                        "GET /v1/inbox/{id}",
                        "POST /v1/inbox/{id}/ack",
                        "POST /v1/inbox/{id}/replay",
                        "GET /health",
                        "GET /openapi.yaml",
                        "GET /docs");
    }

    @Test
    void saysThatTheDatabaseIsUnavailableAndDoesNothing() {
        try (PostgresServer postgres = PostgresServer.start();
                RunningServer unavailable = overPostgres(postgres)) {
            Caller caller = unavailable.caller();
            Configuration.Site site = unavailable.configuration().signingSite();
            Ask call = Calls.signed(site, Calls.body(site.id()));
            JsonObject claim = Claims.fresh();
            String key = Marks.text("key");
            JsonObject event = Ledger.event(caller.tenant());
            Ask webhook = WebhookSenders.stripe(caller, new JsonObject().put("id", Marks.text("evt")));
            assertThat(Ledger.ingest(caller, Marks.text("key")).status()).isEqualTo(201);

            postgres.kill();

            List<Ask> asks = List.of(
                    Ask.post(Ledger.INGEST, Ledger.entry(key, event)),
                    Ask.get("/api/ledger/events?org_id=" + caller.tenant()),
                    Ask.get("/api/calls?site_id=" + site.id()),
                    Ask.post(Claims.CLAIMS, claim),
                    webhook,
                    WebhookSenders.paypal(caller, WebhookSenders.FORWARDED),
                    Ask.get(Webhooks.INBOX),
                    call);
            for (Answer answer : Crowd.of(asks.size(), i -> once(caller, asks.get(i)))) {
                Problem.isProblem(answer, 503);
                assertThat(answer.header("Retry-After")).matches("[1-9][0-9]*");
            }
            assertThat(unavailable.nobody().get("/health/live").status()).isEqualTo(200);
            assertThat(once(unavailable.nobody(), Ask.get("/health/ready")).status())
                    .isEqualTo(503);

            postgres.restart();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> unavailable.nobody().get("/health/ready").status() == 200);
            assertThat(Ledger.ingest(caller, key, event).status()).isEqualTo(201);
            assertThat(Claims.claim(caller, claim).status()).isEqualTo(201);
            assertThat(unavailable.nobody().send(call).status()).isEqualTo(201);
            assertThat(Webhooks.status(caller.send(webhook))).isEqualTo("processed");
        }
    }

    private static Answer once(Caller caller, Ask ask) {
        try {
            return caller.attempt(ask);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RunningServer overPostgres(PostgresServer postgres) {
        Configuration configuration = Configuration.development();
        Database database = Database.on(postgres);
        return RunningServer.start(Environment.launch(configuration, database, null), configuration, database);
    }
}
