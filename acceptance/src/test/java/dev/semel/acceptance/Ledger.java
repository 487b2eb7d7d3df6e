// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** How the ledger is asked. */
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

    /** All events of a tenant, page by page, in the order of the answers. */
    static List<JsonObject> all(Caller caller, int limit) {
        List<JsonObject> all = new ArrayList<>();
        String cursor = "";
        do {
            Answer page = caller.get(EVENTS + "?org_id=%s&limit=%d%s".formatted(caller.tenant(), limit, cursor));
            assertThat(page.status()).as("%s", page).isEqualTo(200);
            List<JsonObject> events =
                    page.array("events").stream().map(JsonObject.class::cast).toList();
            assertThat(events).hasSizeLessThanOrEqualTo(limit);
            all.addAll(events);
            String next = page.get("next");
            cursor =
                    next == null || events.isEmpty() ? "" : "&after=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        } while (!cursor.isEmpty());
        return all;
    }
}
