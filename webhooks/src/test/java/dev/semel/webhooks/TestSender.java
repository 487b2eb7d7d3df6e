// SPDX-License-Identifier: Apache-2.0
package dev.semel.webhooks;

import dev.semel.webhooks.provider.DeliveryHeaders;
import dev.semel.webhooks.provider.WebhookRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Makes deliveries and waits for answers. */
final class TestSender {
    static final String TENANT = "acme";
    static final String URL = "https://hooks.example/webhooks/any";

    private TestSender() {}

    static WebhookRequest post(Map<String, String> headers, String body) {
        return post(URL, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    static WebhookRequest post(String url, Map<String, String> headers, byte[] body) {
        return request("POST", url, headers, body);
    }

    static WebhookRequest request(String method, String url, Map<String, String> headers, byte[] body) {
        WebhookRequest request = new WebhookRequest(method, url, DeliveryHeaders.single(headers), body, TENANT);
        LogHygiene.sent(request);
        return request;
    }

    static WebhookAnswer answer(CompletionStage<WebhookAnswer> stage) {
        return get(stage);
    }

    /** Waits for the value of the stage. Fails the test if it takes too long. */
    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("The stage has no value", e);
        }
    }
}
