// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/** Claims over HTTP: first-time keys, and duplicates. */
final class ClaimWork {
    private static final String CLAIMS = "/v1/claims";

    private final HttpGenerator http;
    private final MeasuredKeys keys = new MeasuredKeys();
    private final List<byte[]> repeats = new ArrayList<>();

    ClaimWork(HttpGenerator http) {
        this.http = http;
    }

    /** Claims and settles a first-time key: two requests. */
    CompletionStage<?> firstTime(long number) {
        return complete(claim(keys.firstTime(number)));
    }

    private CompletableFuture<?> complete(byte[] claim) {
        return http.send(claim).thenCompose(reply -> {
            reply.require(201);
            return http.send(HttpRequest.json(
                            CLAIMS + "/" + reply.member("claim_id") + "/succeed",
                            "{\"token\":\"" + reply.member("token") + "\",\"result\":\"" + MeasuredResult.TEXT + "\"}"))
                    .thenAccept(settled -> settled.require(200));
        });
    }

    /** Settles this many keys, for later duplicates. */
    void settle(int count) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] claim = claim(keys.settledNumber(i));
            repeats.add(claim);
            all.add(complete(claim));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }

    /** A duplicate of a settled key. */
    CompletableFuture<HttpReply> repeat() {
        return http.send(repeats.get(ThreadLocalRandom.current().nextInt(repeats.size())))
                .thenApply(reply -> reply.require(200));
    }

    private static byte[] claim(String key) {
        return HttpRequest.json(CLAIMS, "{\"scope\":\"bench\",\"key\":\"" + key + "\"}");
    }
}
