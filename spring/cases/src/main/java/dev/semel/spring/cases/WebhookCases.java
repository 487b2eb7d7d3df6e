// SPDX-License-Identifier: Apache-2.0
package dev.semel.spring.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.spring.InvalidSetupException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Webhooks for annotated methods. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class WebhookCases {
    private static final String STRIPE = "whsec_0123456789abcdef";
    private static final String GITHUB = "a secret of GitHub";
    private static final int MAX_BYTES = 70_000;
    private static final int DELIVERIES = 20;
    private static final int CONTAINER_THREADS = 2;

    private final HttpClient client = HttpClient.newHttpClient();
    private RunningShop running;

    @BeforeAll
    void start() {
        running = RunningShop.start(
                List.of(ShopApplication.class, Receiver.Config.class, SlowReceiver.Config.class),
                SharedShop.database(),
                "semel.webhooks.stripe.secret=" + STRIPE,
                "semel.webhooks.stripe.max-bytes=" + MAX_BYTES,
                "semel.webhooks.github.secret=" + GITHUB,
                "semel.webhooks.fresh.type=stripe",
                "semel.webhooks.fresh.secret=" + STRIPE,
                "semel.webhooks.slow.type=stripe",
                "semel.webhooks.slow.secret=" + STRIPE,
                "semel.webhooks.late.type=stripe",
                "semel.webhooks.late.secret=" + STRIPE,
                "semel.webhooks.late.answer-within=100ms",
                "server.tomcat.threads.max=" + CONTAINER_THREADS,
                "server.tomcat.threads.min-spare=1");
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private static String event(String id) {
        return event(id, "");
    }

    private static String event(String id, String padding) {
        return "{\"id\":\"%s\",\"type\":\"invoice.paid\",\"padding\":\"%s\"}".formatted(id, padding);
    }

    private HttpResponse<String> deliver(String body) throws IOException, InterruptedException {
        return deliver("stripe", body);
    }

    private HttpResponse<String> deliver(String name, String body) throws IOException, InterruptedException {
        long now = Instant.now().getEpochSecond();
        return send(
                name, body, Map.of("Stripe-Signature", "t=%d,v1=%s".formatted(now, hmac(STRIPE, now + "." + body))));
    }

    private HttpResponse<String> send(String name, String body, Map<String, String> headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d/webhooks/%s".formatted(running.port(), name)))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static String hmac(String secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long rows(String id) {
        return SharedShop.database().orders(id);
    }

    @Test
    void anEventIsProcessedOnce() throws Exception {
        HttpResponse<String> first = deliver(event("evt_once"));
        HttpResponse<String> second = deliver(event("evt_once"));

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("{\"status\":\"processed\"}");
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo("{\"status\":\"already_processed\"}");
        assertThat(rows("evt_once")).isEqualTo(1);
    }

    @Test
    void concurrentDeliveriesAreOneCall() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(DELIVERIES);
        try {
            Callable<HttpResponse<String>> delivery = () -> deliver(event("evt_crowd"));
            for (Future<HttpResponse<String>> answer : threads.invokeAll(Collections.nCopies(DELIVERIES, delivery))) {
                assertThat(answer.get().statusCode()).isEqualTo(200);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(rows("evt_crowd")).isEqualTo(1);
    }

    /** The handlers run until the test ends them, but their deliveries are answered, and other requests are served. */
    @Test
    void slowHandlersHoldNoThreadOfTheContainer() throws Exception {
        SlowReceiver.Handling slow = running.bean(SlowReceiver.class).slow();
        ExecutorService threads = Executors.newFixedThreadPool(2 * CONTAINER_THREADS);
        try {
            List<Future<HttpResponse<String>>> waiting = new ArrayList<>();
            for (int i = 0; i < 2 * CONTAINER_THREADS; i++) {
                String id = "evt_slow_" + i;
                waiting.add(threads.submit(() -> deliver("slow", event(id))));
            }
            Awaitility.await().until(() -> slow.calls() == 2 * CONTAINER_THREADS);
            assertThat(deliver(event("evt_meanwhile")).statusCode()).isEqualTo(200);
            assertThat(waiting).noneMatch(Future::isDone);
            slow.end(2 * CONTAINER_THREADS);
            for (Future<HttpResponse<String>> delivery : waiting) {
                assertThat(delivery.get().body()).isEqualTo("{\"status\":\"processed\"}");
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aHandlerThatTakesTooLongIsAnsweredAndGoesOn() throws Exception {
        SlowReceiver.Handling late = running.bean(SlowReceiver.class).late();
        HttpResponse<String> early = deliver("late", event("evt_late"));
        late.end(1);

        assertThat(early.statusCode()).isEqualTo(503);
        assertThat(early.headers().firstValue("Retry-After")).isPresent();
        assertThat(early.headers().firstValue("Content-Type")).contains("application/problem+json");
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(deliver("late", event("evt_late")).body())
                                .isEqualTo("{\"status\":\"already_processed\"}"));
        assertThat(late.calls()).isEqualTo(1);
    }

    @Test
    void aHandlerThatThrowsIsCalledForTheNextDelivery() throws Exception {
        running.bean(Receiver.class).failNext(1);

        assertThat(deliver(event("evt_failing")).statusCode()).isEqualTo(503);
        assertThat(rows("evt_failing")).as("rolled back").isZero();
        assertThat(deliver(event("evt_failing")).statusCode()).isEqualTo(200);
        assertThat(rows("evt_failing")).isEqualTo(1);
    }

    @Test
    void aForgedEventIsRefused() throws Exception {
        HttpResponse<String> answer =
                send("stripe", event("evt_forged"), Map.of("Stripe-Signature", "t=1,v1=" + hmac("other", "x")));

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(rows("evt_forged")).isZero();
    }

    @Test
    void theJsonIsConverted() throws Exception {
        String body = "{\"ref\":\"refs/heads/main\",\"repository\":{\"name\":\"semel\"},\"forced\":false}";
        HttpResponse<String> answer = send(
                "github",
                body,
                Map.of(
                        "X-Hub-Signature-256", "sha256=" + hmac(GITHUB, body),
                        "X-GitHub-Event", "push",
                        "X-GitHub-Delivery", "delivery-1"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(running.bean(Receiver.class).pushes())
                .containsExactly(new Receiver.Push("refs/heads/main", Map.of("name", "semel")));
    }

    @Test
    void aBodyIsBounded() throws Exception {
        int frame = event("evt_large", "").length();

        assertThat(deliver(event("evt_large", "p".repeat(MAX_BYTES - frame))).statusCode())
                .isEqualTo(200);
        assertThat(deliver(event("evt_larger", "p".repeat(MAX_BYTES - frame))).statusCode())
                .isEqualTo(413);
    }

    @Test
    void aLimitThatCannotBeKeptStopsTheStart() {
        for (String property : List.of("max-bytes=67108865", "answer-within=0s")) {
            assertThatThrownBy(() -> RunningShop.start(
                            List.of(ShopApplication.class, Receiver.Config.class),
                            SharedShop.database(),
                            "semel.webhooks.stripe.secret=" + STRIPE,
                            "semel.webhooks.github.secret=" + GITHUB,
                            "semel.webhooks.stripe." + property))
                    .rootCause()
                    .hasMessageContaining(
                            property.substring(0, property.indexOf('=')) + " of a webhook provider must be");
        }
    }

    @Test
    void anUnknownProviderIsNotFound() throws Exception {
        assertThat(send("paypal", "{}", Map.of()).statusCode()).isEqualTo(404);
    }

    @Test
    void aHandlerWithoutASecretStopsTheStart() {
        assertRefused(
                Receiver.Config.class,
                "has no secret",
                "semel.webhooks.github.secret",
                "semel.webhooks.github.type=github",
                "semel.webhooks.stripe.secret=x");
    }

    @Test
    void aHandlerWithoutAProviderStopsTheStart() {
        assertRefused(Receiver.Config.class, "no property semel.webhooks.", "Set semel.webhooks.");
    }

    @Test
    void aSecretThatIsAnUnresolvedPlaceholderStopsTheStart() {
        assertRefused(
                Receiver.Config.class,
                "is ${NO_SUCH_VARIABLE}: NO_SUCH_VARIABLE is not set",
                "Set the environment variable or property NO_SUCH_VARIABLE",
                "semel.webhooks.stripe.secret=${NO_SUCH_VARIABLE}",
                "semel.webhooks.github.secret=${NO_SUCH_VARIABLE}");
    }

    @Test
    void twoHandlersOfOneProviderStopTheStart() {
        assertRefused(Receiver.Twice.class, "Two methods receive the webhooks of ", "remove one annotation");
    }

    @Test
    void aHandlerInARequestStopsTheStart() {
        assertRefused(
                Receiver.InRequest.class,
                "has the scope request",
                "Move the method with @WebhookHandler to a singleton");
    }

    @Test
    void aPrototypeHandlesEachEventByANewBean() throws Exception {
        assertThat(deliver("fresh", event("evt_fresh_1")).statusCode()).isEqualTo(200);
        assertThat(deliver("fresh", event("evt_fresh_2")).statusCode()).isEqualTo(200);
        assertThat(deliver("fresh", event("evt_fresh_2")).statusCode()).isEqualTo(200);
        assertThat(running.bean(Receiver.class).fresh()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aHandlerWithAResultStopsTheStart() {
        assertRefused(Receiver.Answering.class, "returns java.lang.String", "Return nothing");
    }

    private static void assertRefused(Class<?> config, String description, String action, String... properties) {
        assertThatThrownBy(() ->
                        RunningShop.start(List.of(ShopApplication.class, config), SharedShop.database(), properties))
                .isInstanceOfSatisfying(InvalidSetupException.class, refused -> {
                    assertThat(refused).hasMessageContaining(description);
                    assertThat(refused.action()).contains(action);
                });
    }
}
