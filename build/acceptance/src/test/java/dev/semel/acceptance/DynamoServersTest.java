// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.DynamoServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Servers over a table in DynamoDB: what differs from SQL, and failures. Other tests run on {@link Environment#DYNAMODB} too. */
@BlackBox
class DynamoServersTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static Configuration route(Bank bank, int lease) {
        return Configuration.claimsOnly("""
                api: {routes: [{path: "/pay/**", target: "%s", lease_seconds: %d, wait_seconds: 120, timeout_seconds: 60}]}
                """.formatted(bank.url(), lease));
    }

    /** Not described in openapi.yaml: the answer is that of the bank. */
    private static Answer pay(RunningServer server, String key, String prefer) throws IOException {
        Ask ask = Ask.post("/pay/1")
                .json("{\"amount\": 10}")
                .header("Idempotency-Key", key)
                .header("Prefer", prefer);
        return Client.exchange(server.process().uri().resolve(ask.path()).toString(), ask);
    }

    private static Answer once(Caller caller, Ask ask) {
        try {
            return caller.attempt(ask);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer paid(RunningServer server, String key, String prefer) {
        try {
            return pay(server, key, prefer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As a client does that repeats its request after a 503, which says that it is safe. */
    private static Answer finallyPaid(RunningServer server, String key) {
        return await().atMost(LIMIT).until(() -> paid(server, key, "wait=60"), answer -> answer.status() == 201);
    }

    /** The owner is killed after the effect. The other takes its claim over after the lease, and sends the same key. */
    @Test
    void aServerTakesOverFromOneThatWasKilled() {
        String key = Marks.text("key");
        try (Bank bank = new Bank();
                RunningServer survivor = Environment.DYNAMODB.fresh(route(bank, 2));
                RunningServer owner = survivor.second()) {
            CountDownLatch gate = bank.holdAnswers();
            CompletableFuture<?> unanswered = CompletableFuture.runAsync(() -> {
                try {
                    Answer refused = pay(owner, key, "wait=0");
                    while (refused.status() == 503) {
                        refused = pay(owner, key, "wait=0");
                    }
                } catch (IOException expected) {
                    // The server was killed.
                }
            });
            await().atMost(LIMIT).until(() -> bank.payments() == 1);
            assertThat(paid(survivor, key, "wait=0").status()).isEqualTo(202);

            owner.process().kill();
            unanswered.join();
            gate.countDown();

            Answer taken =
                    await().atMost(LIMIT).until(() -> paid(survivor, key, "wait=0"), answer -> answer.status() == 201);
            Answer again = paid(survivor, key, "wait=0");
            assertThat(taken.text()).isEqualTo("{\"payment\": 1}").isEqualTo(again.text());
            assertThat(again.header("X-Idempotency-Status")).isEqualTo("HIT");
            assertThat(bank.payments()).isEqualTo(1);
            assertThat(bank.keys()).hasSize(2).containsOnly(bank.keys().get(0));
        }
    }

    @Test
    void requestsWithOneKeyAtTwoServersAreOneExecution() {
        try (Bank bank = new Bank();
                RunningServer first = Environment.DYNAMODB.fresh(route(bank, 20));
                RunningServer second = first.second()) {
            List<Answer> answers = Crowd.of(40, i -> finallyPaid(i % 2 == 0 ? first : second, "key-" + i / 10));

            for (int i = 0; i < 40; i++) {
                assertThat(answers.get(i).text())
                        .isEqualTo(answers.get(i / 10 * 10).text());
            }
            assertThat(bank.payments()).isEqualTo(4);
            assertThat(bank.keys()).hasSize(4);
        }
    }

    @Test
    void whatNeedsSqlSaysSo() {
        RunningServer server = Environment.DYNAMODB.shared();
        Caller caller = server.caller();
        List<Ask> asks = List.of(
                Ask.post(Ledger.INGEST, Ledger.entry(Marks.text("key"), Ledger.event(caller.tenant()))),
                Ask.get("/api/ledger/events?org_id=" + caller.tenant()),
                Ask.post("/api/call-event", new JsonObject().put("site_id", "any")),
                Ask.get("/api/calls?site_id=any"),
                Webhooks.to(caller, "stripe", new JsonObject().put("id", Marks.text("evt"))),
                Ask.get(Webhooks.INBOX),
                Ask.post("/v1/inbox/take", new JsonObject()));
        for (Ask ask : asks) {
            Answer answer = caller.send(ask);
            Problem.isProblem(answer, 501, "SQL");
            assertThat(answer.get("type")).isEqualTo("/docs/problems/needs-sql");
            assertThat(caller.get(answer.get("type")).status()).isEqualTo(200);
        }
        assertThat(caller.get("/v1/whoami").array("features")).doesNotContain("ledger", "calls");
        assertThat(caller.get("/v1/system").get("database")).startsWith("Amazon DynamoDB, table acceptance_");
        assertThat(caller.get("/health").json().getJsonObject("checks").getString("database"))
                .isEqualTo("up");
        await().atMost(LIMIT)
                .until(() ->
                        once(caller, Ask.post(Claims.CLAIMS, Claims.fresh())).status() == 201);
        assertThat(caller.get("/metrics").text()).contains("idempotency_miss_total");
    }

    @Test
    void aServerIsNotStartedWithWhatItCannotDo() {
        DynamoTable table = new DynamoTable(DynamoServer.shared(), "acceptance_missing");
        Configuration inbox =
                Configuration.with("webhooks: {stripe: {secrets: [%s]}}%n".formatted(Marks.text("secret")));
        refused(table.launch(inbox), "webhooks.stripe records events in the inbox", "sink: {forward:", "calls.sites");
        refused(
                table.launch(Configuration.claimsOnly()),
                "The table acceptance_missing does not exist",
                "semel migrate");
        refused(
                table.launch(Configuration.claimsOnly())
                        .withVariable("SEMEL_DATABASE_USER", "me")
                        .withVariable("SEMEL_DATABASE_PASSWORD", Marks.text("password")),
                "SEMEL_DATABASE_PASSWORD",
                "AWS_ACCESS_KEY_ID");
        String secret = Marks.text("secret");
        for (String url : List.of(
                "dynamodb://AKIA:" + secret + "@eu-central-1/claims",
                "dynamodb://eu-central-1/claims?secretAccessKey=" + secret,
                "dynamodb://eu-central-1/claims?endpoint=http://u:" + secret + "@127.0.0.1:1",
                "dynamodb://eu-central-1/claims#" + secret,
                "dynamodb://" + secret + "/claims",
                "dynamodb://eu-central-1/claims/" + secret,
                "dynamodb:" + secret)) {
            Launch launch = Launch.in(Scratch.folder("data")).withVariable("SEMEL_DATABASE_URL", url);
            refused(DynamoTable.withCredentials(launch), "The database URL");
        }
    }

    private static void refused(Launch launch, String... named) {
        SemelProcess.Ended ended = SemelProcess.refused(launch);
        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(2);
        assertThat(ended.output()).contains(named).doesNotContain(Marks.SENTINEL);
    }

    /** Requests wait while DynamoDB is killed: nothing is answered wrongly, and the same requests work afterwards. */
    @Test
    void aServerSurvivesTheLossOfDynamoDb() {
        try (DynamoServer dynamo = DynamoServer.start()) {
            Configuration configuration = Configuration.claimsOnly();
            Launch launch = DynamoTable.create(dynamo).launch(configuration);
            try (RunningServer server = RunningServer.start(launch, configuration, null)) {
                Caller caller = server.caller();
                JsonObject body = Claims.fresh();
                JsonObject claim = Claims.granted(caller, body);
                CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() ->
                        once(caller, Ask.post(Claims.CLAIMS, body.copy().put("wait_ms", 20_000))));

                dynamo.kill();

                Problem.isProblem(once(caller, Ask.post(Claims.CLAIMS, Claims.fresh())), 503);
                Answer settlement = once(
                        caller,
                        Ask.post(
                                Claims.CLAIMS + "/" + claim.getString("claim_id") + "/succeed",
                                new JsonObject()
                                        .put("token", claim.getString("token"))
                                        .put("result", "done")));
                Problem.isProblem(settlement, 503);
                assertThat(once(server.nobody(), Ask.get("/health/ready")).status())
                        .isEqualTo(503);
                assertThat(waiting.join().status()).as("%s", waiting.join()).isIn(202, 503);

                dynamo.restart();
                await().atMost(LIMIT)
                        .until(() ->
                                once(server.nobody(), Ask.get("/health/ready")).status() == 200);
                assertThat(Claims.succeed(caller, claim, "done").status()).isEqualTo(200);
                assertThat(Claims.claim(caller, body).get("result")).isEqualTo("done");
            }
        }
    }

    /** Without the table, nothing is granted: an empty one in its place would know no key. */
    @Test
    void nothingIsGrantedWithoutTheTable() {
        DynamoTable table = DynamoTable.create();
        Configuration configuration = Configuration.claimsOnly();
        try (RunningServer server = RunningServer.start(table.launch(configuration), configuration, null)) {
            Caller caller = server.caller();
            assertThat(Claims.claim(caller, Claims.fresh()).status()).isEqualTo(201);

            table.delete();

            Problem.isProblem(once(caller, Ask.post(Claims.CLAIMS, Claims.fresh())), 503);
            await().atMost(LIMIT)
                    .until(() -> once(server.nobody(), Ask.get("/health/ready")).status() == 503);
            assertThat(server.process().isAlive()).isTrue();
        }
    }
}
