// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import static dev.semel.webhooks.TestSender.answer;
import static dev.semel.webhooks.TestSender.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.semel.memory.MemoryClaimStore;
import dev.semel.webhooks.provider.WebhookRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardTest {
    private final OneProcess process = new OneProcess(new MemoryClaimStore());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> bodies = new CopyOnWriteArrayList<>();
    private final List<Headers> headers = new CopyOnWriteArrayList<>();
    private final CountDownLatch silent = new CountDownLatch(1);
    private volatile int status = 200;
    private HttpServer target;

    @BeforeEach
    void start() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.setExecutor(threads);
        target.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            headers.add(exchange.getRequestHeaders());
            if (exchange.getRequestURI().getPath().equals("/silent")) {
                try {
                    silent.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            if (status == 302) {
                exchange.getResponseHeaders().set("Location", "/elsewhere");
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        target.start();
    }

    @AfterEach
    void stop() {
        silent.countDown();
        target.stop(0);
        threads.shutdownNow();
        process.close();
    }

    @Test
    void theTargetGetsTheDeliveryWithAttemptAndKey() {
        WebhookGate gate = process.open("stripe", Forward.to(at("/hooks")));
        String body = "{ \"id\" : \"evt_forwarded\" }";
        Map<String, String> sent = Map.of(
                "Stripe-Signature", "t=12345678,v1=abcdef",
                "Connection", "close, X-Between",
                "X-Between", "neighbours only",
                "Semel-Attempt", "99-forged",
                "Content-Type", "application/json");

        assertThat(answer(gate.receive(post(sent, body))).status()).isEqualTo(200);

        assertThat(bodies).containsExactly(body);
        assertThat(headers.get(0).getFirst("Stripe-Signature")).isEqualTo("t=12345678,v1=abcdef");
        assertThat(headers.get(0).get("Semel-Attempt")).containsExactly("1");
        assertThat(headers.get(0).getFirst("Semel-Key")).hasSize(43);
        assertThat(headers.get(0).getFirst("Semel-Verified")).isEqualTo("false");
        assertThat(headers.get(0).get("Semel-Tenant")).containsExactly("acme");
        assertThat(headers.get(0)).doesNotContainKey("X-between");
    }

    @Test
    void aTenantIsPercentEncoded() {
        WebhookGate gate = process.open("stripe", Forward.to(at("/hooks")));
        WebhookRequest one = post(Map.of("Semel-Tenant", "forged"), "{\"id\":\"evt_tenant\"}");

        answer(gate.receive(new WebhookRequest("POST", one.url(), one.headers(), one.body(), "50% café")));

        assertThat(headers.get(0).get("Semel-Tenant")).containsExactly("50%25%20caf%C3%A9");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 400, 404, 500})
    void anythingButSuccessIsAFailureAndTheNextIsForwardedAgainWithTheSameKey(int answered) {
        WebhookGate gate = process.open("stripe", Forward.to(at("/hooks")));
        status = answered;
        assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_again\"}")))
                        .status())
                .isEqualTo(503);
        status = 204;

        assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_again\"}")))
                        .status())
                .isEqualTo(200);
        assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_again\"}")))
                        .kind())
                .isEqualTo(WebhookAnswer.Kind.ALREADY_PROCESSED);
        assertThat(headers).hasSize(2);
        assertThat(headers.get(1).getFirst("Semel-Attempt")).isEqualTo("2");
        assertThat(headers.get(1).getFirst("Semel-Key"))
                .isEqualTo(headers.get(0).getFirst("Semel-Key"));
    }

    @Test
    void anAnswerThatTakesTooLongIsAFailure() {
        WebhookGate gate = process.open("stripe", Forward.to(at("/silent")).within(Duration.ofMillis(200)));

        assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_silent\"}")))
                        .status())
                .isEqualTo(503);
    }

    @Test
    void aSlowAnswerIsCancelledAfterTheTimeOut() {
        try (TricklingServer trickling = TricklingServer.of(1, 5)) {
            WebhookGate gate =
                    process.open("stripe", Forward.to(trickling.uri()).within(Duration.ofMillis(300)));

            assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_trickle\"}")))
                            .status())
                    .isEqualTo(503);
            assertThat(trickling.closed()).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    /** Only the status matters, so a large body is not read to its end. */
    @Test
    void onlyTheBeginningOfAnAnswersBodyIsRead() {
        try (TricklingServer trickling = TricklingServer.of(8_000, 0)) {
            WebhookGate gate =
                    process.open("stripe", Forward.to(trickling.uri()).within(Duration.ofSeconds(30)));

            assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_endless\"}")))
                            .status())
                    .isEqualTo(200);
            assertThat(trickling.closed()).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    @Test
    void anUnavailableTargetIsAFailure() {
        target.stop(0);
        WebhookGate gate = process.open("stripe", Forward.to(at("/hooks")));

        assertThat(answer(gate.receive(post(Map.of(), "{\"id\":\"evt_away\"}"))).status())
                .isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host/x", "/hooks", "http:///x", "http://user:secret@host/x"})
    void aTargetMustBeAnHttpUrl(String address) {
        assertThatThrownBy(() -> Forward.to(URI.create(address))).isInstanceOf(IllegalArgumentException.class);
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + target.getAddress().getPort() + path);
    }
}
