// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonArray;
import dev.semel.payload.json.JsonBoolean;
import dev.semel.payload.json.JsonObject;
import dev.semel.payload.json.JsonString;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The inbox over HTTP, on the real server with SQLite. Every test uses its own tenant. */
class InboxHttpTest {
    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void isReadInOrderPageByPage() {
        for (int i = 0; i < 5; i++) {
            deliver("pages", "custom", "e" + i);
        }
        deliver("pages", "whatsapp", "w");
        List<String> seen = new ArrayList<>();
        String after = "";
        Reply page;
        do {
            page = get("pages", "?provider=custom&limit=2&after=" + after);
            events(page).forEach(event -> seen.add(id(body(event))));
            after = URLEncoder.encode(page.text("next"), StandardCharsets.UTF_8);
        } while (page.member("more").equals(new JsonBoolean(true)));

        assertThat(seen).containsExactly("e0", "e1", "e2", "e3", "e4");
        assertThat(events(get("pages", ""))).hasSize(6);
        deliver("pages", "custom", "e5");
        assertThat(events(get("pages", "?provider=custom&after=" + after)))
                .extracting(event -> id(body(event)))
                .containsExactly("e5");
    }

    @Test
    void theResponseTheInboxAndTheClaimUseOneKey() throws Exception {
        Reply delivered = server.post("/webhooks/names/custom", "{\"id\":\"n\"}");
        String prefix = delivered.header("X-Idempotency-Key");
        String id = id(events(get("names", "")).get(0));
        post("names", id + "/replay", "{\"reason\":\"the books were restored\"}");

        List<String> prefixes = events(get("names", "")).stream()
                .map(event -> ((JsonString) event.member("key_prefix").orElseThrow()).value())
                .toList();

        assertThat(prefixes).hasSize(2).startsWith(prefix);
        for (String shown : prefixes) {
            assertThat(claims(shown.substring(shown.indexOf('_') + 1)))
                    .as(shown)
                    .isEqualTo(1);
        }
    }

    private static int claims(String digest) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("data/semel.db"));
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT count(*) FROM idempotency_keys WHERE lower(hex(key_hash)) LIKE ? || '%'")) {
            statement.setString(1, digest);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.getInt(1);
            }
        }
    }

    @Test
    void isAcknowledgedOnce() {
        String id = deliver("acks", "custom", "a");
        deliver("acks", "custom", "b");

        Reply first = post("acks", id + "/ack", "");
        assertThat(first.text("status")).isEqualTo("acknowledged");
        Reply again = post("acks", id + "/ack", "{}");
        assertThat(again.text("status")).isEqualTo("already_acknowledged");
        assertThat(again.text("acked_by")).isEqualTo("tester");
        assertThat(post("acks", id + "/ack", "{\"x\":1}").problem()).isEqualTo("invalid-field");

        assertThat(events(get("acks", "?unacknowledged=true")))
                .extracting(event -> id(body(event)))
                .containsExactly("b");
        assertThat(events(get("acks", "?unacknowledged=false"))).hasSize(2);
        assertThat(get("acks", "/" + id).text("acked_by")).isEqualTo("tester");
    }

    @Test
    void eventsOfOtherTenantsAreNotFound() {
        String id = deliver("mine", "custom", "m");

        assertThat(events(get("others", ""))).isEmpty();
        assertThat(get("others", "/" + id).problem()).isEqualTo("not-found");
        assertThat(post("others", id + "/ack", "").problem()).isEqualTo("not-found");
        assertThat(post("others", id + "/replay", "{\"reason\":\"r\"}").problem())
                .isEqualTo("not-found");
        assertThat(post("mine", UUID.randomUUID() + "/ack", "").problem()).isEqualTo("not-found");
        assertThat(get("mine", "/no-id").problem()).isEqualTo("not-found");
        assertThat(get("mine", "/" + id).json().member("acked_at")).isEmpty();
    }

    @Test
    void aReplayIsAnotherEventAndNeedsAReason() {
        String id = deliver("replays", "custom", "r");

        assertThat(post("replays", id + "/replay", "{}").text("field")).isEqualTo("/reason");
        assertThat(post("replays", id + "/replay", "{\"reason\":\"" + "x".repeat(101) + "\"}")
                        .status())
                .isEqualTo(400);
        assertThat(events(get("replays", ""))).hasSize(1);

        Reply replayed = post("replays", id + "/replay", "{\"reason\":\"the books were restored\"}");

        assertThat(replayed.text("status")).isEqualTo("processed");
        List<JsonObject> events = events(get("replays", ""));
        assertThat(events).hasSize(2);
        assertThat(events).extracting(event -> id(body(event))).containsOnly("r");
        assertThat(events.get(1).member("id")).isNotEqualTo(events.get(0).member("id"));
        assertThat(server.post("/webhooks/replays/custom", "{\"id\":\"r\"}").text("status"))
                .as("the next delivery of the sender is still a duplicate")
                .isEqualTo("already_processed");
    }

    /** The entry is part of the audit trail and of the claim's history. A replay that is refused writes none. */
    @Test
    void aReplayIsInTheAuditTrail() {
        String id = deliver("audited", "custom", "r");
        post("audited", id + "/replay", "{}");
        post("audited", UUID.randomUUID() + "/replay", "{\"reason\":\"no such event\"}");
        assertThat(audit("audited")).isEmpty();

        post("audited", id + "/replay", "{\"reason\":\"the books were restored\"}");

        List<JsonObject> decisions = audit("audited");
        assertThat(decisions).hasSize(1);
        JsonObject entry = decisions.get(0);
        assertThat(entry.member("kind")).contains(new JsonString("replayed"));
        assertThat(entry.member("scope")).contains(new JsonString("webhook:custom"));
        assertThat(entry.member("actor")).contains(new JsonString("tester"));
        assertThat(entry.member("reason")).contains(new JsonString("the books were restored"));
        assertThat(entry.member("details")).contains(new JsonString("inbox event " + id));
        String key = ((JsonString) entry.member("key_id").orElseThrow()).value();
        Reply claim = server.get("/v1/keys/" + key, "X-Organization-Id", "audited");
        assertThat(claim.text("scope")).isEqualTo("webhook:custom");
        assertThat(((JsonArray) claim.member("history")).elements()).containsExactly(entry);
        assertThat(audit("others")).isEmpty();
    }

    private static List<JsonObject> audit(String organization) {
        Reply reply = server.get("/v1/audit", "X-Organization-Id", organization);
        return ((JsonArray) reply.member("decisions"))
                .elements().stream().map(JsonObject.class::cast).toList();
    }

    @Test
    void bodiesThatAreNotJsonAreShownInBase64() {
        String form = "MessageSid=SM1&MessageStatus=sent";
        Reply sent = server.send(
                server.request("/webhooks/forms/twilio", "Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form))
                        .build());
        assertThat(sent.text("status")).isEqualTo("processed");

        assertThat(events(get("forms", ""))).singleElement().satisfies(event -> {
            assertThat(event.member("content_type")).contains(new JsonString("application/x-www-form-urlencoded"));
            assertThat(event.member("body")).isEmpty();
            assertThat(event.member("body_base64"))
                    .contains(
                            new JsonString(Base64.getEncoder().encodeToString(form.getBytes(StandardCharsets.UTF_8))));
        });
    }

    @Test
    void credentialsOfTheSenderAreNotKept() {
        assertThat(server.post(
                                "/webhooks/headers/custom",
                                "{\"id\":\"h\"}",
                                "Authorization",
                                "Bearer x",
                                "Cookie",
                                "a=b",
                                "X-Kept",
                                "yes")
                        .status())
                .isEqualTo(200);
        JsonObject headers =
                (JsonObject) events(get("headers", "")).get(0).member("headers").orElseThrow();
        assertThat(headers.members()).containsKey("x-kept").doesNotContainKeys("authorization", "cookie", "host");
    }

    /** A reader of the inbox could send the delivery again with them. */
    @Test
    void signaturesAreNeitherKeptNorShown() {
        String[] sent = {
            "Stripe-Signature",
            "t=1,v1=aa",
            "X-Shopify-Hmac-Sha256",
            "bb",
            "PAYPAL-TRANSMISSION-SIG",
            "cc",
            "X-Signed-By",
            "dd"
        };
        assertThat(server.post("/webhooks/signatures/custom", "{\"id\":\"s\"}", sent)
                        .status())
                .isEqualTo(200);

        JsonObject headers = (JsonObject)
                events(get("signatures", "")).get(0).member("headers").orElseThrow();
        assertThat(headers.members())
                .containsKey("x-signed-by")
                .doesNotContainKeys("stripe-signature", "x-shopify-hmac-sha256", "paypal-transmission-sig");
    }

    @Test
    void theSignatureOfACustomSenderIsNotKeptUnderAnyName(@TempDir Path own) {
        try (InProcessServer before = InProcessServer.in(own, "webhooks: {orders: {}}", Map.of())) {
            before.post("/webhooks/orders", "{\"id\":\"1\"}", "X-Seal", "aa", "X-Kept", "yes");
            assertThat(headers(before)).containsKeys("x-seal", "x-kept");
        }
        // Signatures stored by an earlier version are not shown either.
        try (InProcessServer after =
                InProcessServer.in(own, "webhooks: {orders: {signature: {header: X-Seal}}}", Map.of())) {
            assertThat(headers(after)).containsKey("x-kept").doesNotContainKey("x-seal");
            after.post("/webhooks/orders", "{\"id\":\"2\"}", "X-Seal", "aa", "X-Kept", "yes");
            assertThat(events(after.get("/v1/inbox"))).hasSize(2);
        }
        try (InProcessServer again = InProcessServer.in(own, "webhooks: {orders: {}}", Map.of())) {
            JsonObject second = events(again.get("/v1/inbox")).get(1);
            assertThat(((JsonObject) second.member("headers").orElseThrow()).members())
                    .as("never stored")
                    .doesNotContainKey("x-seal");
        }
    }

    private static Map<String, Json> headers(InProcessServer of) {
        return ((JsonObject)
                        events(of.get("/v1/inbox")).get(0).member("headers").orElseThrow())
                .members();
    }

    @Test
    void theReservedTenantIsRefused() {
        Reply reply = server.get("/v1/inbox", "X-Organization-Id", "semel:webhooks");

        assertThat(reply.problem()).isEqualTo("invalid-field");
        assertThat(reply.text("field")).isEqualTo("X-Organization-Id");
        assertThat(server.post("/webhooks/semel:webhooks/custom", "{\"id\":\"1\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void invalidParametersAreRejected() {
        for (String query : List.of(
                "?limit=0", "?limit=1001", "?limit=x", "?after=nothing", "?unacknowledged=perhaps", "?provider=a%00")) {
            assertThat(get("queries", query).problem()).as(query).isEqualTo("invalid-field");
        }
    }

    @Test
    void eventsEncryptedByARemovedSecretAreShownWithoutContent(@TempDir Path own) {
        try (InProcessServer before = InProcessServer.in(own, "", Map.of("IDEMPOTENCY_SECRET", "a".repeat(32)))) {
            assertThat(before.post("/webhooks/custom", "{\"id\":\"s\"}").status())
                    .isEqualTo(200);
        }
        try (InProcessServer after = InProcessServer.in(own, "", Map.of("IDEMPOTENCY_SECRET", "b".repeat(32)))) {
            JsonObject event = events(after.get("/v1/inbox")).get(0);
            assertThat(event.member("unreadable")).contains(new JsonString("unknown_secret"));
            assertThat(event.members()).doesNotContainKeys("body", "body_base64", "headers");
            String id = ((JsonString) event.member("id").orElseThrow()).value();
            assertThat(after.post("/v1/inbox/" + id + "/replay", "{\"reason\":\"r\"}")
                            .problem())
                    .isEqualTo("event-sealed");
        }
    }

    private static String deliver(String tenant, String provider, String id) {
        assertThat(server.post("/webhooks/%s/%s".formatted(tenant, provider), "{\"id\":\"%s\"}".formatted(id))
                        .text("status"))
                .isEqualTo("processed");
        List<JsonObject> all = events(get(tenant, ""));
        return ((JsonString) all.get(all.size() - 1).member("id").orElseThrow()).value();
    }

    private static Reply get(String tenant, String rest) {
        return server.get("/v1/inbox" + rest, "X-Organization-Id", tenant);
    }

    private static Reply post(String tenant, String rest, String body) {
        return server.post("/v1/inbox/" + rest, body, "X-Organization-Id", tenant, "X-Actor-Id", "tester");
    }

    private static List<JsonObject> events(Reply page) {
        return ((JsonArray) page.member("events"))
                .elements().stream().map(event -> (JsonObject) event).toList();
    }

    private static JsonObject body(JsonObject event) {
        return (JsonObject) event.member("body").orElseThrow();
    }

    private static String id(JsonObject body) {
        return ((JsonString) body.member("id").orElseThrow()).value();
    }
}
