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

    private final HttpClient client = HttpClient.newHttpClient();
    private RunningShop running;

    @BeforeAll
    void start() {
        running = RunningShop.start(
                List.of(ShopApplication.class, Receiver.Config.class),
                SharedShop.database(),
                "semel.webhooks.stripe.secret=" + STRIPE,
                "semel.webhooks.stripe.max-bytes=" + MAX_BYTES,
                "semel.webhooks.github.secret=" + GITHUB);
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
        long now = Instant.now().getEpochSecond();
        return send(
                "stripe",
                body,
                Map.of("Stripe-Signature", "t=%d,v1=%s".formatted(now, hmac(STRIPE, now + "." + body))));
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
