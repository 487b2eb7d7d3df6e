// SPDX-License-Identifier: Apache-2.0
package dev.semel.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.payload.json.JsonArray;
import dev.semel.server.InProcessServer;
import dev.semel.server.InProcessServer.Reply;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A payment that is confirmed by a webhook and by a request has one claim. Every test uses its own tenant. */
class OnePaymentHttpTest {
    private static final String SECRET = "0123456789abcdef-secret";

    @TempDir
    static Path folder;

    private static InProcessServer server;

    @BeforeAll
    static void start() {
        server = InProcessServer.in(folder, "webhooks: {momo: {url_secret: %s}}".formatted(SECRET), Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aRequestAfterTheWebhookIsADuplicate() {
        assertThat(webhook("first").text("status")).isEqualTo("processed");

        Reply confirmation = confirmation("first");

        assertThat(confirmation.status()).isEqualTo(200);
        assertThat(confirmation.text("status")).isEqualTo("duplicate");
        assertThat(confirmation.header("X-Idempotency-Status")).isEqualTo("HIT");
    }

    @Test
    void aWebhookAfterTheRequestIsADuplicateAndNotStored() {
        settle(confirmation("second"), "second");

        assertThat(webhook("second").text("status")).isEqualTo("already_processed");
        assertThat(stored("second")).isZero();
    }

    @Test
    void aWebhookDuringTheRequestIsRetried() {
        Reply claimed = confirmation("running");

        Reply refused = webhook("running");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isNotEmpty();
        assertThat(stored("running")).isZero();

        settle(claimed, "running");
        assertThat(webhook("running").text("status")).isEqualTo("already_processed");
    }

    private static Reply webhook(String tenant) {
        return server.post(
                "/webhooks/%s/momo/%s".formatted(tenant, SECRET),
                "{\"financialTransactionId\":\"%s-7\",\"status\":\"SUCCESSFUL\"}".formatted(tenant));
    }

    private static Reply confirmation(String tenant) {
        return server.post(
                "/v1/payments/confirmations",
                "{\"provider\":\"momo\",\"provider_tx_id\":\"%s-7\"}".formatted(tenant),
                "X-Organization-Id",
                tenant);
    }

    private static void settle(Reply claimed, String tenant) {
        assertThat(claimed.status()).as(claimed.body()).isEqualTo(201);
        Reply settled = server.post(
                "/v1/claims/%s/succeed".formatted(claimed.text("claim_id")),
                "{\"token\":\"%s\",\"result\":{}}".formatted(claimed.text("token")),
                "X-Organization-Id",
                tenant);
        assertThat(settled.status()).as(settled.body()).isEqualTo(200);
    }

    private static int stored(String tenant) {
        return ((JsonArray) server.get("/v1/inbox", "X-Organization-Id", tenant).member("events"))
                .elements()
                .size();
    }
}
