// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import io.vertx.core.json.JsonObject;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** A well-behaved client that records refusals and response times. */
final class WellBehaved {
    private final Caller caller;
    private final List<Long> nanos = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    WellBehaved(Caller caller) {
        this.caller = caller;
    }

    /** One round of all its requests. */
    void once() {
        JsonObject claim = Claims.fresh();
        Answer granted = timed(() -> Claims.claim(caller, claim));
        if (granted != null && granted.status() == 201) {
            timed(() -> Claims.succeed(caller, granted.json(), "done"));
        }
        timed(() -> Claims.claim(caller, claim));
        timed(() -> caller.postText(
                Ledger.INGEST,
                Ledger.entry(Marks.text("key"), Ledger.event(caller.tenant())).encode()));
        timed(() -> caller.get(Ledger.EVENTS + "?limit=10&org_id=" + caller.tenant()));
        timed(() -> caller.send(WebhookSenders.stripe(caller, new JsonObject().put("id", Marks.text("evt")))));
        timed(() -> caller.get("/v1/inbox?limit=10"));
        timed(() -> caller.get("/health/live"));
    }

    private Answer timed(Supplier<Answer> request) {
        long start = System.nanoTime();
        Answer answer = null;
        try {
            answer = request.get();
        } catch (UncheckedIOException e) {
            refused.add("no answer: " + e);
        }
        nanos.add(System.nanoTime() - start);
        if (answer != null && answer.status() >= 300) {
            refused.add(answer.status() + " " + answer.text());
        }
        return answer;
    }

    List<String> refused() {
        return refused;
    }

    Duration slowest() {
        return Duration.ofNanos(Collections.max(nanos));
    }

    @Override
    public String toString() {
        List<Long> sorted = nanos.stream().sorted().toList();
        return "%d requests, p50 %d ms, p99 %d ms, slowest %d ms"
                .formatted(
                        sorted.size(),
                        sorted.get(sorted.size() / 2) / 1_000_000,
                        sorted.get(sorted.size() * 99 / 100) / 1_000_000,
                        slowest().toMillis());
    }
}
