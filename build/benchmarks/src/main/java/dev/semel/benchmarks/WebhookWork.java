// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signed Stripe webhooks over HTTP: first-time events and duplicates. */
final class WebhookWork {
    static final String SECRET = "whsec_of_the_benchmarks";

    private static final String PATH = "/webhooks/bench/stripe";

    /** Any timestamp: the measured server is configured to accept it. */
    private static final String TIMESTAMP = "1700000000";

    private final HttpGenerator http;
    private final MeasuredKeys keys = new MeasuredKeys();
    private final List<byte[]> repeats = new ArrayList<>();

    WebhookWork(HttpGenerator http) {
        this.http = http;
    }

    CompletionStage<?> firstTime(long number) {
        return sent(delivery(keys.firstTime(number)), "processed");
    }

    /** Delivers this many events, for later duplicates. */
    void settle(int count) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] delivery = delivery(keys.settledNumber(i));
            repeats.add(delivery);
            all.add(sent(delivery, "processed"));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }

    /** A duplicate of a delivered event. */
    CompletionStage<?> repeat(long number) {
        return sent(repeats.get(ThreadLocalRandom.current().nextInt(repeats.size())), "already_processed");
    }

    private CompletableFuture<?> sent(byte[] delivery, String expected) {
        return http.send(delivery).thenAccept(reply -> {
            String status = reply.require(200).member("status");
            if (!status.equals(expected)) {
                throw new IllegalStateException("Expected %s, but got %s".formatted(expected, status));
            }
        });
    }

    private static byte[] delivery(String id) {
        String body = "{\"id\":\"evt_" + id + "\",\"object\":\"event\",\"type\":\"invoice.paid\",\"data\":{\"object\":"
                + LedgerWork.PAYLOAD + "}}";
        return HttpRequest.json(PATH, "Stripe-Signature: t=" + TIMESTAMP + ",v1=" + signature(body), body);
    }

    private static String signature(String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal((TIMESTAMP + "." + body).getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is missing in this JDK", e);
        }
    }
}
