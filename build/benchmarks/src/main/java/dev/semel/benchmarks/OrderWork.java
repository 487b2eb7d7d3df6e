// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Orders that are posted to a service that answers each with the same bytes. */
final class OrderWork {
    private static final String BODY = "{\"order\":\"17\",\"amount\":1999,\"currency\":\"EUR\",\"customer\":\"c-42\"}";

    private final HttpGenerator http;
    private final String path;
    private final int answer;
    private final MeasuredKeys keys = new MeasuredKeys();
    private int settled;

    /** @param answer the length of the service's response */
    OrderWork(HttpGenerator http, String path, int answer) {
        this.http = http;
        this.path = path;
        this.answer = answer;
    }

    CompletionStage<?> withoutKey() {
        return send(HttpRequest.json(path, BODY));
    }

    CompletionStage<?> firstTime(long number) {
        return send(keys.firstTime(number));
    }

    /** Sends this many orders, for later duplicates. */
    void settle(int count) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(send(keys.settledNumber(i)).toCompletableFuture());
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        settled = count;
    }

    CompletionStage<?> repeat() {
        return send(keys.settled(settled));
    }

    private CompletionStage<?> send(String key) {
        return send(HttpRequest.json(path, "Idempotency-Key: " + key, BODY));
    }

    private CompletionStage<?> send(byte[] request) {
        return http.send(request).thenAccept(reply -> {
            if (reply.require(200).body().length != answer) {
                throw new IllegalStateException("Expected %d bytes".formatted(answer));
            }
        });
    }
}
