// SPDX-License-Identifier: Apache-2.0
package dev.semel.acceptance;

import static org.awaitility.Awaitility.await;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/** Sends webhooks and reads the inbox. */
final class Webhooks {
    static final String INBOX = "/v1/inbox";

    private Webhooks() {}

    /** A delivery to the caller's tenant. */
    static Ask to(Caller caller, String provider, JsonObject body) {
        return Ask.post("/webhooks/%s/%s".formatted(caller.tenant(), provider), body);
    }

    /** This many messages and as many statuses, with consecutive numbers. */
    static JsonObject whatsApp(String mark, int first, int count) {
        JsonArray messages = new JsonArray();
        JsonArray statuses = new JsonArray();
        for (int i = first; i < first + count; i++) {
            messages.add(new JsonObject().put("id", mark + "-m" + i).put("text", new JsonObject().put("body", mark)));
            statuses.add(new JsonObject().put("id", mark + "-s" + i).put("status", "delivered"));
        }
        JsonObject value = new JsonObject().put("messages", messages).put("statuses", statuses);
        JsonObject change = new JsonObject().put("field", "messages").put("value", value);
        return new JsonObject()
                .put("object", "whatsapp_business_account")
                .put(
                        "entry",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("id", "account")
                                        .put("changes", new JsonArray().add(change))));
    }

    /** All events of the caller's inbox, page by page. */
    static List<JsonObject> inbox(Caller caller) {
        return Page.all(caller, INBOX + "?unacknowledged=false", 100);
    }

    /** The same, once this many exist. Like the ledger's, pages on PostgreSQL are delayed by open transactions. */
    static List<JsonObject> inbox(Caller caller, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> inbox(caller).size() >= count);
        return inbox(caller);
    }

    /** The number of the caller's events in the inbox, including those that no page shows yet. */
    static long stored(RunningServer server, Caller caller) {
        return server.database().count("SELECT count(*) FROM webhook_inbox WHERE tenant = ?", caller.tenant());
    }

    static String status(Answer answer) {
        return answer.status() == 200 ? answer.get("status") : "" + answer.status();
    }

    /** The first response, also if it is a 503. */
    static Answer once(Caller caller, Ask ask) {
        try {
            return caller.attempt(ask);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
