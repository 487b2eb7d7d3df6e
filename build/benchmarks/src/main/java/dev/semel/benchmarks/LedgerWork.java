// SPDX-License-Identifier: Apache-2.0
package dev.semel.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;

/** The ledger over HTTP: single events, batches, and duplicates. */
final class LedgerWork {
    static final String ORGANIZATION = "bench";
    static final String ACTOR = "actor-7";
    static final String EVENT_TYPE = "invoice.paid";
    static final String ENTITY_TYPE = "invoice";
    static final String ENTITY = "invoice-4711";
    static final String PAYLOAD =
            "{\"amount\":\"1250.00\",\"currency\":\"EUR\",\"method\":\"transfer\",\"reference\":\"RF18539007547034\"}";

    private static final String INGEST = "/api/ledger/ingest";
    private static final String BATCH = INGEST + "/batch";
    private static final String AFTER_KEY = "\",\"event\":{\"org_id\":\"" + ORGANIZATION + "\",\"actor_id\":\"" + ACTOR
            + "\",\"event_type\":\"" + EVENT_TYPE + "\",\"entity_type\":\"" + ENTITY_TYPE + "\",\"entity_id\":\""
            + ENTITY
            + "\",\"payload\":" + PAYLOAD + "}}";
    private static final byte[] WRITTEN = "{\"status\":201,".getBytes(StandardCharsets.US_ASCII);

    private final HttpGenerator http;
    private final MeasuredKeys keys = new MeasuredKeys();
    private final List<byte[]> repeats = new ArrayList<>();

    LedgerWork(HttpGenerator http) {
        this.http = http;
    }

    CompletionStage<?> firstTime(long number) {
        return http.send(HttpRequest.json(INGEST, entry(keys.firstTime(number))))
                .thenAccept(reply -> reply.require(201));
    }

    /** This many first-time events. */
    CompletionStage<?> batch(long number, int events) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < events; i++) {
            lines.append(entry(keys.firstTime(number) + "-" + i)).append('\n');
        }
        return http.send(HttpRequest.lines(BATCH, lines.toString()))
                .thenAccept(reply -> requireAllWritten(reply.require(200), events));
    }

    private static void requireAllWritten(HttpReply reply, int events) {
        byte[] body = reply.body();
        int written = 0;
        for (int at = 0; at < body.length; at++) {
            if (Arrays.equals(body, at, Math.min(body.length, at + WRITTEN.length), WRITTEN, 0, WRITTEN.length)) {
                written++;
            }
            while (at < body.length && body[at] != '\n') {
                at++;
            }
        }
        if (written != events) {
            throw new IllegalStateException(
                    "Only %2$d of %1$d events of a batch were written".formatted(events, written));
        }
    }

    /** Writes this many events, for later duplicates. */
    void settle(int count) {
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] request = HttpRequest.json(INGEST, entry(keys.settledNumber(i)));
            repeats.add(request);
            all.add(http.send(request).thenAccept(reply -> reply.require(201)));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }

    /** A duplicate of a written event. */
    CompletableFuture<HttpReply> repeat() {
        return http.send(repeats.get(ThreadLocalRandom.current().nextInt(repeats.size())))
                .thenApply(reply -> reply.require(200));
    }

    private static String entry(String key) {
        return "{\"idempotency_key\":\"" + key + AFTER_KEY;
    }
}
