// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import dev.semel.testservers.WebhookTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From what logs and answers show of a key to the record, on the real server with SQLite. Every test uses its own tenant. */
class PrefixLookupTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;
    private static WebhookTarget target;

    private final String tenant = "tenant-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        target = WebhookTarget.start();
        server = InProcessServer.in(folder, """
                webhooks:
                  forwarded: {type: custom, sink: {forward: "%s", timeout_seconds: 60}}
                """.formatted(target.uri()), Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
        target.close();
    }

    private Reply get(String path) {
        Reply reply = server.get(path, "X-Organization-Id", tenant);
        assertThat(reply.status()).as("%s: %s", path, reply.body()).isEqualTo(200);
        return reply;
    }

    private Reply lookUp(String prefix) {
        Reply found = get("/v1/keys?prefix=" + prefix);
        assertThat(found.member("more")).isEqualTo(new JsonBoolean(false));
        return found;
    }

    private static List<JsonObject> list(Reply reply, String name) {
        return ((JsonArray) reply.member(name))
                .elements().stream().map(JsonObject.class::cast).toList();
    }

    private static String text(JsonObject object, String name) {
        return ((JsonString) object.member(name).orElseThrow()).value();
    }

    /** The record can be opened at its path, and no other tenant finds it. */
    private void isOneRecord(Reply found, String prefix, String kind) {
        JsonObject record = list(found, "records").stream().findFirst().orElseThrow();
        assertThat(list(found, "records")).hasSize(1);
        assertThat(text(record, "kind")).isEqualTo(kind);
        assertThat(text(record, "path")).endsWith(text(record, "id"));
        assertThat(get(text(record, "path")).text("id")).isEqualTo(text(record, "id"));
        isFoundByNobodyElse(prefix);
    }

    private static void isFoundByNobodyElse(String prefix) {
        Reply other = server.get("/v1/keys?prefix=" + prefix, "X-Organization-Id", "somebody-else");
        assertThat(list(other, "keys")).isEmpty();
        assertThat(list(other, "records")).isEmpty();
    }

    @Test
    void aWebhookInTheInboxIsFoundWithItsClaim() {
        String prefix = server.post("/webhooks/" + tenant + "/custom", "{\"id\":\"one\"}")
                .header("X-Idempotency-Key");
        server.post("/webhooks/" + tenant + "/custom", "{\"id\":\"two\"}");
        assertThat(prefix).matches("ev_[0-9a-f]{13}");

        Reply found = lookUp(prefix);

        assertThat(list(found, "keys")).singleElement().satisfies(key -> {
            assertThat(text(key, "id")).startsWith(prefix.substring(3));
            assertThat(text(key, "scope")).isEqualTo("webhook:custom");
            assertThat(list(get("/v1/keys/" + text(key, "id")), "records"))
                    .as("the claim leads to the event too")
                    .isEqualTo(list(found, "records"));
        });
        isOneRecord(found, prefix, "inbox_event");
        assertThat(lookUp(prefix.substring(3)).body()).as("without the word").isEqualTo(found.body());
    }

    @Test
    void aReplayedEventIsFound() {
        server.post("/webhooks/" + tenant + "/custom", "{\"id\":\"one\"}");
        String id = text(list(get("/v1/inbox"), "events").get(0), "id");
        Reply replayed =
                server.post("/v1/inbox/" + id + "/replay", "{\"reason\":\"a test\"}", "X-Organization-Id", tenant);
        assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
        String prefix = text(list(get("/v1/inbox"), "events").get(1), "key_prefix");
        assertThat(prefix).startsWith("replay_");

        Reply found = lookUp(prefix);

        assertThat(list(found, "keys")).hasSize(1);
        isOneRecord(found, prefix, "inbox_event");
    }

    /** A duplicate is logged with the digest of the new secret, which leads to the event that was stored before. */
    @Test
    void aDuplicateAfterARotationLeadsToTheEvent(@TempDir Path own) {
        String old = "old-secret-".repeat(4);
        String fresh = "new-secret-".repeat(4);
        String before;
        try (InProcessServer first = InProcessServer.in(own, "", Map.of("IDEMPOTENCY_SECRET", old))) {
            before = first.post("/webhooks/custom", "{\"id\":\"one\"}").header("X-Idempotency-Key");
        }
        Map<String, String> rotated = Map.of("IDEMPOTENCY_SECRET", fresh, "IDEMPOTENCY_PREVIOUS_SECRETS", old);
        try (InProcessServer second = InProcessServer.in(own, "", rotated)) {
            Reply duplicate = second.post("/webhooks/custom", "{\"id\":\"one\"}");
            String after = duplicate.header("X-Idempotency-Key");
            assertThat(duplicate.text("status")).isEqualTo("already_processed");
            assertThat(after).isNotEqualTo(before);

            for (String prefix : List.of(before, after)) {
                Reply found = second.get("/v1/keys?prefix=" + prefix);
                assertThat(list(found, "keys")).as(prefix).hasSize(1);
                assertThat(list(found, "records")).as(prefix).hasSize(1);
            }
        }
    }

    @Test
    void aForwardedWebhookIsFoundByItsClaim() {
        Reply sent = server.post("/webhooks/" + tenant + "/forwarded", "{\"id\":\"one\"}");
        assertThat(sent.status()).as(sent.body()).isEqualTo(200);
        String prefix = sent.header("X-Idempotency-Key");

        Reply found = lookUp(prefix);

        assertThat(list(found, "keys")).extracting(key -> text(key, "scope")).containsExactly("webhook:forwarded");
        assertThat(list(found, "records")).isEmpty();
        isFoundByNobodyElse(prefix);
    }

    @Test
    void aLedgerEventIsFoundByTheHashOfItsKey() {
        Reply written = server.post(
                "/api/ledger/ingest",
                "{\"idempotency_key\":\"k\u00e9\",\"event\":{\"org_id\":\"%s\",\"event_type\":\"paid\"}}"
                        .formatted(tenant));
        assertThat(written.status()).as(written.body()).isEqualTo(201);
        String digest = written.header("X-Idempotency-Key");
        assertThat(digest).as("a key that is no header").matches("[0-9a-f]{64}");

        isOneRecord(lookUp(digest.substring(0, 16)), digest, "ledger_event");
        Reply byKey = server.post("/v1/keys/lookup", "{\"key\":\"k\u00e9\"}", "X-Organization-Id", tenant);
        isOneRecord(byKey, digest, "ledger_event");
    }

    @Test
    void aCallIsFoundByTheHashOfItsSignature() {
        Reply written = server.post(
                "/api/call-event", "{\"site_id\":\"%s\"}".formatted(tenant), "x-ops-signature", "a signature");
        assertThat(written.status()).as(written.body()).isEqualTo(201);
        String hash = written.header("X-Idempotency-Key");

        isOneRecord(lookUp(hash), hash, "call");
        isOneRecord(lookUp(hash.substring(0, 6).toUpperCase(Locale.ROOT)), hash, "call");
    }

    @Test
    void otherTextsAreRefused() {
        Json claim = server.post("/v1/claims", "{\"scope\":\"pay\",\"key\":\"order\"}", "X-Organization-Id", tenant)
                .member("claim_id");
        String id = ((JsonString) claim).value();

        assertThat(list(lookUp(id), "keys")).hasSize(1);
        assertThat(list(lookUp(id), "records")).isEmpty();
        for (String wrong : List.of("01234", "ev_01234", "ev_xyzxyzxyz", "verylongword_0123456789", "0".repeat(65))) {
            Reply refused = server.get("/v1/keys?prefix=" + wrong, "X-Organization-Id", tenant);
            assertThat(refused.status()).as(wrong).isEqualTo(400);
            assertThat(refused.body()).contains("dedup_key_prefix");
        }
    }
}
