// SPDX-License-Identifier: Apache-2.0
package dev.semel.journal;

import dev.semel.journal.calls.CallEvent;
import dev.semel.journal.calls.CallSignature;
import dev.semel.journal.ledger.Ingestion;
import dev.semel.journal.ledger.LedgerEntry;
import dev.semel.journal.ledger.LedgerEvent;
import dev.semel.payload.json.Json;
import dev.semel.payload.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Events and calls as clients send them. */
public final class Entries {
    private Entries() {}

    public static LedgerEntry entry(String key) {
        return entry("acme", key, "{\"amount\":1}");
    }

    public static LedgerEntry entry(String orgId, String key, String payload) {
        return LedgerEntry.of(
                key,
                json("{\"org_id\":\"%s\",\"actor_id\":\"ann\",\"event_type\":\"paid\",\"payload\":%s}"
                        .formatted(orgId, payload)));
    }

    public static CallEvent call(String siteId, String signature) {
        return new CallEvent(
                siteId,
                json("{\"site_id\":\"%s\",\"n\":12345678901234567890.10}".formatted(siteId)),
                signature == null ? null : CallSignature.hashOf(signature));
    }

    public static JsonObject json(String text) {
        return (JsonObject) Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String text(Json json) {
        return new String(json.utf8(), StandardCharsets.UTF_8);
    }

    public static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The event that this ingestion wrote. */
    public static LedgerEvent written(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Written written) {
            return written.event();
        }
        throw new AssertionError("Not written: " + ingestion);
    }

    public static LedgerEvent event(Ingestion ingestion) {
        if (ingestion instanceof Ingestion.Existing existing) {
            return existing.event();
        }
        return written(ingestion);
    }
}
