// SPDX-License-Identifier: Apache-2.0
package dev.semel.examples.boot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Sends what a client of the service and what Stripe would send. */
final class OrderClient {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String service;

    OrderClient(int port) {
        this.service = "http://127.0.0.1:" + port;
    }

    HttpResponse<String> order(String idempotencyKey, String reference, long cents)
            throws IOException, InterruptedException {
        String body = "{\"reference\":\"%s\",\"item\":\"book\",\"cents\":%d}".formatted(reference, cents);
        return post("/orders", body, "Idempotency-Key", idempotencyKey);
    }

    /** Stripe signs the time and the body. */
    HttpResponse<String> paid(String secret, String event, String reference, long cents)
            throws IOException, InterruptedException {
        String payment = "{\"amount\":%d,\"metadata\":{\"order\":\"%s\"}}".formatted(cents, reference);
        String body = "{\"id\":\"%s\",\"type\":\"payment_intent.succeeded\",\"data\":{\"object\":%s}}"
                .formatted(event, payment);
        long now = Instant.now().getEpochSecond();
        return post(
                "/webhooks/stripe",
                body,
                "Stripe-Signature",
                "t=%d,v1=%s".formatted(now, signature(secret, now + "." + body)));
    }

    private HttpResponse<String> post(String path, String body, String header, String value)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service + path))
                .header("Content-Type", "application/json")
                .header(header, value)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private static String signature(String secret, String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java has no HmacSHA256", e);
        }
    }
}
