// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests to the ledger. */
final class Ledger {
    static final String INGEST = "/api/ledger/ingest";
    static final String BATCH = "/api/ledger/ingest/batch";
    static final String EVENTS = "/api/ledger/events";

    private Ledger() {}

    static JsonObject event(String org) {
        return new JsonObject()
                .put("org_id", org)
                .put("actor_id", "actor-1")
                .put("event_type", "invoice.paid")
                .put("entity_type", "invoice")
                .put("entity_id", "inv-7")
                .put("payload", new JsonObject().put("amount", 100).put("note", Marks.text("note")));
    }

    static JsonObject entry(String key, JsonObject event) {
        return new JsonObject().put("idempotency_key", key).put("event", event);
    }

    static Answer ingest(Caller caller, String key, JsonObject event) {
        return caller.post(INGEST, entry(key, event));
    }

    static Answer ingest(Caller caller, String key) {
        return ingest(caller, key, event(caller.tenant()));
    }

    /** Sends lines as a batch. */
    static Answer batch(Caller caller, String lines) {
        return caller.send(Ask.post(BATCH).body("application/x-ndjson", lines));
    }

    /** This many entries with unique keys, one per line. */
    static String lines(String org, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> entry(Marks.text("key"), event(org)).encode() + "\n")
                .collect(Collectors.joining());
    }

    /** All events of a tenant, page by page, in the order of the pages. */
    static List<JsonObject> all(Caller caller, int limit) {
        return Page.all(caller, EVENTS + "?org_id=" + caller.tenant(), limit);
    }

    /**
     * The same, once this many exist. On PostgreSQL a page ends before the writes of open transactions, and other test classes
     * have transactions on the same server.
     */
    static List<JsonObject> all(Caller caller, int limit, int count) {
        return await().atMost(Duration.ofSeconds(60))
                .pollDelay(Duration.ZERO)
                .until(() -> all(caller, limit), found -> found.size() >= count);
    }
}
