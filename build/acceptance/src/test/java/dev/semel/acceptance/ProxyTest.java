// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservers.FreePort;
import dev.semel.testservers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The proxy in front of a service: many clients, several instances, and processes that are killed. */
@BlackBox
class ProxyTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @AutoClose
    private final Bank bank = new Bank();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Launch launch(Database database, String more) {
        return launch(bank.url(), database, more);
    }

    private static Launch launch(String target, Database database, String more) {
        Path file = Scratch.folder("config").resolve("semel.yml");
        try {
            Files.writeString(file, """
                    database: {pool_size: 8}
                    limits: {connections: 4000, connections_per_address: 4000}
                    api: {routes: [{path: "/pay/**", target: "%s", wait_seconds: 120, timeout_seconds: 60%s}]}
                    """.formatted(target, more));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Launch launch = Launch.in(Scratch.folder("data"))
                .with("--config", file.toString())
                .withVariable("IDEMPOTENCY_SECRET", Marks.text("idempotency-secret-of-more-than-32-bytes"));
        return database == null
                ? launch
                : launch.with("--database-url", database.url())
                        .withVariable("SEMEL_DATABASE_USER", database.user())
                        .withVariable("SEMEL_DATABASE_PASSWORD", database.password());
    }

    private static HttpRequest pay(SemelProcess proxy, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(proxy.uri().resolve("/pay/1"))
                .timeout(LONG)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request.build();
    }

    private HttpResponse<String> send(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
    }

    private static String status(HttpResponse<String> answer) {
        return answer.headers().firstValue("X-Idempotency-Status").orElse("");
    }

    @Test
    void aThousandRequestsWithOneKeyAreOneExecution() {
        try (SemelProcess proxy = SemelProcess.start(launch(Database.on(PostgresServer.shared()), ""))) {
            CountDownLatch gate = bank.holdAnswers();
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                all.add(client.sendAsync(
                        pay(proxy, "one", "{\"amount\": 10}", "Prefer", "wait=120"),
                        HttpResponse.BodyHandlers.ofString()));
            }
            await().atMost(LONG).until(() -> bank.payments() == 1);
            gate.countDown();

            List<HttpResponse<String>> answers =
                    all.stream().map(CompletableFuture::join).toList();

            assertThat(answers).allMatch(answer -> answer.statusCode() == 201);
            assertThat(answers).extracting(HttpResponse::body).containsOnly("{\"payment\": 1}");
            assertThat(answers)
                    .allMatch(answer ->
                            answer.headers().firstValue("Location").orElse("").equals("/payments/1"));
            assertThat(answers)
                    .filteredOn(answer -> status(answer).equals("MISS"))
                    .hasSize(1);
            assertThat(bank.keys()).hasSize(1);
        }
    }

    @Test
    void twoInstancesOverOneDatabaseAreOne() {
        Launch launch = launch(Database.on(PostgresServer.shared()), "");
        try (SemelProcess one = SemelProcess.start(launch);
                SemelProcess two = SemelProcess.start(launch.withData(Scratch.folder("data")))) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(client.sendAsync(
                        pay(i % 2 == 0 ? one : two, "key-" + i / 20, "{\"amount\": 10}", "Prefer", "wait=120"),
                        HttpResponse.BodyHandlers.ofString()));
            }
            for (int i = 0; i < 200; i++) {
                HttpResponse<String> answer = all.get(i).join();
                assertThat(answer.statusCode()).isEqualTo(201);
                assertThat(answer.body()).isEqualTo(all.get(i / 20 * 20).join().body());
            }
            assertThat(bank.payments()).isEqualTo(10);
            assertThat(bank.keys()).hasSize(10);

            CountDownLatch gate = bank.holdAnswers();
            CompletableFuture<HttpResponse<String>> running =
                    client.sendAsync(pay(one, "held", "{\"amount\": 10}"), HttpResponse.BodyHandlers.ofString());
            await().atMost(LONG).until(() -> bank.payments() == 11);
            HttpResponse<String> other = send(pay(two, "held", "{\"amount\": 11}"));
            HttpResponse<String> same = send(pay(two, "held", "{\"amount\": 10}"));
            gate.countDown();

            assertThat(other.statusCode()).isEqualTo(409);
            assertThat(other.headers().firstValue("Idempotency-Differs")).contains("/amount");
            assertThat(same.statusCode()).isEqualTo(202);
            assertThat(running.join().statusCode()).isEqualTo(201);
        }
    }

    @Test
    void aProxyThatIsKilledAfterTheEffectSendsTheSameKeyAgain() {
        try (SemelProcess proxy = SemelProcess.start(launch(null, ", lease_seconds: 2"))) {
            CountDownLatch gate = bank.holdAnswers();
            CompletableFuture<HttpResponse<String>> lost =
                    client.sendAsync(pay(proxy, "k", "{}"), HttpResponse.BodyHandlers.ofString());
            await().atMost(LONG).until(() -> bank.payments() == 1);
            proxy.kill();
            gate.countDown();
            assertThat(lost.handle((answer, failure) -> failure).join()).isNotNull();

            proxy.start();
            await().atMost(LONG).until(() -> send(pay(proxy, "k", "{}")).statusCode() == 201);
            HttpResponse<String> again = send(pay(proxy, "k", "{}"));

            assertThat(again.body()).isEqualTo("{\"payment\": 1}");
            assertThat(status(again)).isEqualTo("HIT");
            assertThat(bank.payments()).isEqualTo(1);
            assertThat(bank.keys()).hasSize(2).containsOnly(bank.keys().get(0));
        }
    }

    @Test
    void aServiceThatIsKilledInItsAnswerGetsTheSameKeyAgain() {
        int port = FreePort.choose();
        try (SemelProcess proxy = SemelProcess.start(launch("http://127.0.0.1:" + port, null, ""))) {
            String first;
            HttpResponse<String> broken;
            try (Till till = Till.on(port, false)) {
                CompletableFuture<HttpResponse<String>> answer =
                        client.sendAsync(pay(proxy, "k", "{}"), HttpResponse.BodyHandlers.ofString());
                first = till.next();
                till.close();
                broken = answer.join();
            }
            assertThat(broken.statusCode()).isEqualTo(502);
            assertThat(broken.body()).contains("/docs/problems/upstream-failed");
            assertThat(send(pay(proxy, "k", "{}")).statusCode())
                    .as("the service is down")
                    .isEqualTo(502);

            try (Till till = Till.on(port, true)) {
                HttpResponse<String> whole = send(pay(proxy, "k", "{}"));
                assertThat(whole.body()).isEqualTo("halfhalf");
                assertThat(status(whole)).isEqualTo("MISS");
                assertThat(till.next()).isEqualTo(first).isNotEmpty();
            }
            HttpResponse<String> again = send(pay(proxy, "k", "{}"));
            assertThat(again.body()).isEqualTo("halfhalf");
            assertThat(status(again)).isEqualTo("HIT");
        }
    }
}
